import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { specifiedDialect } from '../../src/doors/dialect/dialect.ts'
import { relay } from '../../src/doors/dialect/relay.ts'
import type { Exact, ExactRecord } from '../support/archive/records.ts'
import { readExact } from '../support/exact-json.ts'
import { copySmallLake } from '../support/lakes/small-lake.ts'
import { buildTestServer } from '../support/servers/build-test-server.ts'
import { runMain } from '../support/servers/run-main.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Each difference of the hosted service, and what the specification says instead. */

/** The end of the last day of the fixtures, which was paid in the main token. */
const lastDay = 'from=2025-01-31T12:00:00Z&to=2025-02-01'
const iotDay = `l2/iot-reward-shares?${lastDay}`
const mobileDay = `l2/mobile-reward-shares?${lastDay}`
const radios = 'l2/mobile-reward-shares?from=2025-01-28&to=2025-01-29&reward_type=radio_reward_v2'

const lists = [
  ['l2/makers', 'objects'],
  ['l2/hotspots', 'records'],
  ['l2/iot-reward-shares?from=2025-01-28&to=2025-02-01', 'records'],
  ['l2/mobile-reward-shares?from=2025-01-28&to=2025-02-01', 'records'],
  ['l1/accounts', 'objects'],
  ['l1/transactions', 'objects'],
  ['l1/transaction-actors', 'objects'],
  ['l1/dc-burns', 'objects'],
  ['l1/gateways', 'objects'],
  ['l1/packets', 'objects'],
  ['l1/rewards', 'objects'],
] as const

interface Reply {
  readonly status: number
  readonly text: string
}
/** Asks one server for a path. */
type Ask = (path: string) => Promise<Reply>
let hosted: Ask
let plain: Ask
let cwd: string

beforeAll(async () => {
  cwd = await temporaryFolder()
  await copySmallLake(join(cwd, 'lake'))
  hosted = await serving('lake', relay)
  plain = await serving('lake')
})

async function serving(lake: string, dialect = specifiedDialect): Promise<Ask> {
  const { spelling } = dialect
  const { server } = await buildTestServer(join(cwd, lake), 60_000, undefined, { dialect }, { spelling })
  return async (path) => {
    const { statusCode, body } = await server.inject(path)
    return { status: statusCode, text: body }
  }
}

/** The value in a reply at a path of members and list indexes. */
function partOf(text: string, path: readonly (string | number)[]): Exact {
  return path.reduce((value: Exact, step) => (value as never)[step] ?? null, readExact<ExactRecord>(text))
}

const share = ['records', 0] as const
const manifest = [...share, 'reward_manifest'] as const
const detail = [...manifest, 'reward_detail'] as const
const promotion = [...detail, 'service_provider_promotions', 0, 'promotions', 0] as const
const alone = { total_pages: 1n, next_page: null, prev_page: null }

/** The difference, the path below /v1/net, the part of the reply, and its value with and without the dialect. */
const values: readonly (readonly [string, string, readonly (string | number)[], unknown, unknown])[] = [
  [
    'meta.pagination tells how many records match in all',
    'l2/hotspots?page=2&per_page=50',
    ['meta'],
    { pagination: { count: 120n, total_pages: 3n, current_page: 2n, next_page: 3n, prev_page: 1n } },
    { count: 50n, total_pages: 3n, current_page: 2n, next_page: 3n, prev_page: 1n },
  ],
  [
    'a page past the end has no previous or next page',
    'l2/makers?page=9',
    ['meta'],
    { pagination: { ...alone, count: 6n, current_page: 9n } },
    { ...alone, count: 0n, current_page: 9n, prev_page: 8n },
  ],
  [
    'the last page has a previous page and no next one',
    'l2/makers?page=2&per_page=5',
    ['meta'],
    { pagination: { count: 6n, total_pages: 2n, current_page: 2n, next_page: null, prev_page: 1n } },
    { count: 1n, total_pages: 2n, current_page: 2n, next_page: null, prev_page: 1n },
  ],
  [
    'an empty list has one page',
    'l2/hotspots?owner=nobody',
    ['meta'],
    { pagination: { ...alone, count: 0n, current_page: 1n } },
    { ...alone, count: 0n, current_page: 1n },
  ],
  ['a page has 50 records unless asked otherwise', 'l2/hotspots', ['records', 'length'], 50, 25],
  [
    'the main token of IoT has its own name',
    iotDay,
    [...detail, 'token'],
    'iot_reward_token_hnt',
    'iot_reward_token_main',
  ],
  [
    'the main token of Mobile has its own name',
    mobileDay,
    [...detail, 'token'],
    'mobile_reward_token_hnt',
    'mobile_reward_token_main',
  ],
  [
    'other tokens keep their names',
    radios,
    [...detail, 'token'],
    'mobile_reward_token_mobile',
    'mobile_reward_token_mobile',
  ],
  ...(
    [
      ['a share', iotDay, [...share, 'end_period'], '2025-02-01', '00:00:00'],
      ['a radio', radios, [...share, 'reward_detail', 'seniority_timestamp'], '2024-12-20', '04:41:46'],
      ['a manifest', iotDay, [...manifest, 'start_timestamp'], '2025-01-31', '00:00:00'],
      ['the start of a promotion', mobileDay, [...promotion, 'start_ts'], '2025-01-31', '00:00:00'],
      ['the end of a promotion', mobileDay, [...promotion, 'end_ts'], '2025-02-01', '00:00:00'],
    ] as const
  ).map(
    ([what, path, part, day, time]) =>
      [
        `the date of ${what} has spaces and ends in UTC`,
        path,
        part,
        `${day} ${time} UTC`,
        `${day}T${time}Z`,
      ] as const,
  ),
  ...(
    [
      [iotDay, 'dc_bones_per_share', '0.739700217007648', 0n],
      [mobileDay, 'poc_bones_per_reward_share', '188665.655119335628677836557476', 188665n],
      [mobileDay, 'boosted_poc_bones_per_reward_share', '939854.9', 939854n],
    ] as const
  ).map(
    ([path, name, text, integer]) =>
      [`${name} is text with every digit`, path, [...detail, name], text, integer] as const,
  ),
]

const time = 'use an ISO 8601 date or time such as 2026-07-01 or 2026-07-01T00:00:00Z'
const missing = (more = '') =>
  `{"param":"from","message":"from is required; ${time}${more}"},` +
  `{"param":"to","message":"to is \\"x\\"; ${time}"}`
const wrongPaging =
  '{"param":"page","message":"page is \\"0\\"; use a whole number from 1 to 9007199254740"},' +
  '{"param":"per_page","message":"per_page is \\"101\\"; use a whole number from 1 to 100"}'
const sentencesIn = (faults: string) =>
  [...faults.matchAll(/"message":"((?:[^"\\]|\\.)*)"/g)].map(([, sentence]) => sentence).join('. ')
const refused = (faults: string) =>
  [422, `{"error":"${sentencesIn(faults)}.","code":"malformed_request","errors":[${faults}]}`] as const
const unknown = (path: string, meant: string) => `There is no GET ${path}; did you mean ${meant}?`

/** The difference, the path, and the whole reply with and without the dialect. */
const replies: readonly (readonly [string, string, readonly [number, string], readonly [number, string]])[] =
  [
    [
      'the network is called helium too',
      '/v1/helium/l2/makers/nobody',
      [404, '{"error":"Maker not found"}'],
      [
        404,
        `{"error":"${unknown('/v1/helium/l2/makers/nobody', '/v1/net/l2/makers/nobody')}","code":"not_found"}`,
      ],
    ],
    [
      'what is not found is named by error alone',
      '/v1/net/l2/hotspots/nobody',
      [404, '{"error":"Hotspot not found"}'],
      [404, '{"error":"Hotspot not found","code":"not_found"}'],
    ],
    [
      'so is an unknown address',
      '/v1/net/l3/makers',
      [404, `{"error":"${unknown('/v1/net/l3/makers', '/v1/net/l2/makers')}"}`],
      [404, `{"error":"${unknown('/v1/net/l3/makers', '/v1/net/l2/makers')}","code":"not_found"}`],
    ],
    [
      'wrong parameters are named by errors alone',
      '/v1/net/l2/iot-reward-shares/totals?to=x',
      [422, `{"errors":[${missing()}]}`],
      refused(missing(', or give first_day and last_day')),
    ],
    [
      'invalid pages of makers are refused like those of other lists',
      '/v1/net/l2/makers?page=0&per_page=101',
      [422, `{"errors":[${wrongPaging}]}`],
      refused(wrongPaging),
    ],
    [
      'other errors have a code and a message',
      '/v1/net/l2/makers/%zz',
      [
        422,
        '{"code":"malformed_request","message":"The address cannot be read: its percent-encoding is broken; a percent sign itself is written %25."}',
      ],
      [
        422,
        '{"error":"The address cannot be read: its percent-encoding is broken; a percent sign itself is written %25.","code":"malformed_request"}',
      ],
    ],
  ]

const totals = 'l2/iot-reward-shares/totals?from=2025-01-28&to=2025-02-01'

describe('with --compat relay', () => {
  it.each(values)('%s', async (_, path, part, withIt, without) => {
    const [spoken, said] = [await hosted(`/v1/net/${path}`), await plain(`/v1/net/${path}`)]
    expect([spoken.status, said.status]).toEqual([200, 200])
    expect(partOf(spoken.text, part)).toEqual(withIt)
    expect(partOf(said.text, part)).toEqual(without)
  })

  it.each(replies)('%s', async (_, address, withIt, without) => {
    const [spoken, said] = [await hosted(address), await plain(address)]
    expect([spoken.status, spoken.text]).toEqual(withIt)
    expect([said.status, said.text]).toEqual(without)
  })

  it.each([
    ['l2/makers?nmae=x', 'l2/makers'],
    [`${totals}&page=2&per_page=10`, totals],
    [`${totals}&page=x`, totals],
  ])('unknown parameters of %s are ignored', async (path, meant) => {
    expect(await hosted(`/v1/net/${path}`)).toEqual(await hosted(`/v1/net/${meant}`))
    expect((await hosted(`/v1/net/${path}`)).status).toBe(200)
    expect((await plain(`/v1/net/${path}`)).status).toBe(422)
  })

  it.each([
    ['a blank', '2025-01-31%2000:00:00%20UTC', '2025-02-01%2000:00:00%20UTC'],
    ['a plus sign for a blank', '2025-01-31+00:00:00+UTC', '2025-02-01+00:00:00+UTC'],
  ])(
    'dates in the form of its responses are accepted with %s, and refused without --compat relay',
    async (_, from, to) => {
      for (const path of ['l2/iot-reward-shares', 'l2/iot-reward-shares/totals', 'l1/rewards']) {
        const asked = `/v1/net/${path}?from=${from}&to=${to}`
        const spoken = await hosted(asked)
        expect([spoken.status, spoken.text.slice(0, 300)]).toEqual([200, expect.any(String)])
        expect(spoken).toEqual(
          await hosted(`/v1/net/${path}?from=2025-01-31T00:00:00Z&to=2025-02-01T00:00:00Z`),
        )
        const faults = ['from', 'to'].map((param) => {
          const value = param === 'from' ? '2025-01-31 00:00:00 UTC' : '2025-02-01 00:00:00 UTC'
          return { param, message: `${param} is "${value}"; ${time}` }
        })
        const said = await plain(asked)
        expect([said.status, JSON.parse(said.text).errors]).toEqual([422, faults])
      }
    },
  )

  it('the end of the last share is accepted as the next from parameter', async () => {
    const first = await hosted(`/v1/helium/${iotDay}&per_page=1`)
    const end = partOf(first.text, [...share, 'end_period']) as string
    const next = await hosted(
      `/v1/helium/l2/iot-reward-shares?from=${encodeURIComponent(end)}&to=2100-01-01&per_page=1`,
    )
    expect(partOf(next.text, share)).toEqual(partOf(first.text, share))
  })

  it('a reversed range is also refused if its dates have the form of responses', async () => {
    const { status, text } = await hosted(
      '/v1/net/l1/rewards?from=2025-02-01+00:00:00+UTC&to=2025-02-01T00:00:00Z',
    )
    const message =
      'from is "2025-02-01 00:00:00 UTC" and to is "2025-02-01T00:00:00Z"; from must be before to'
    const errors = ['from', 'to'].map((param) => ({ param, message }))
    expect([status, JSON.parse(text)]).toEqual([422, { errors }])
  })

  it.each([
    ['l2/iot-reward-shares?from=2025-01-28&to=2025-02-01&reward_type=nobody', '"records":[]'],
    [`${totals}&reward_type=nobody`, '"total_amount":0'],
    ['l2/hotspots?networks=nobody', '"records":[]'],
  ])('an unknown name returns an empty list: %s', async (path, part) => {
    const [spoken, said] = [await hosted(`/v1/net/${path}`), await plain(`/v1/net/${path}`)]
    expect([spoken.status, said.status]).toEqual([200, 422])
    expect(spoken.text).toContain(part)
  })

  it.each(lists)(
    'a page of %s has the records of the usual dialect in its own spelling, in a list named records',
    async (path, envelope) => {
      for (const page of [1, 2]) {
        const asked = `/${path}${path.includes('?') ? '&' : '?'}per_page=100&page=${page}`
        const [spoken, said] = [await hosted(`/v1/helium${asked}`), await plain(`/v1/net${asked}`)]
        expect([spoken.status, said.status]).toEqual([200, 200])
        expect(spoken.text.replace(/^\{"meta":\{"pagination":\{[^}]*\}\},/, '')).toBe(
          respelled(said.text)
            .replace(/^\{"meta":\{[^}]*\},/, '')
            .replace(new RegExp(`^"${envelope}"`), '"records"'),
        )
      }
    },
  )

  it('the usual path works as well as /v1/helium, with the same responses', async () => {
    for (const [path] of lists)
      expect(await hosted(`/v1/helium/${path}`)).toEqual(await hosted(`/v1/net/${path}`))
  })

  it('GraphQL is unchanged', async () => {
    const asked = '/graphql/mobile-reward-shares?startPeriod=2025-01-31&endPeriod=2025-02-01&first=5'
    const spoken = await hosted(asked)
    expect(spoken).toEqual(await plain(asked))
    expect(spoken.text).toContain('"endPeriod":"2025-01-31T00:00:00Z"')
    const query = encodeURIComponent(
      '{ rewardManifests(startTimestamp: "2025-02-01", endTimestamp: "2025-02-02") { nodes { rewardData {' +
        ' ... on RewardManifestMobileData { token pocBonesPerRewardShare serviceProviderPromotions { promotions { startTs } } } } } } }',
    )
    const manifests = await hosted(`/graphql?query=${query}`)
    expect(manifests).toEqual(await plain(`/graphql?query=${query}`))
    expect(manifests.text).toContain('"startTs":"2025-01-31T00:00:00Z"')
    expect(manifests.text).toContain('mobile_reward_token_main')
  })

  it('pages of makers and hotspots can be ingested again', async () => {
    for (const name of ['makers', 'hotspots']) {
      const pages = await Promise.all([1, 2, 3].map((page) => hosted(`/v1/helium/l2/${name}?page=${page}`)))
      writeFileSync(join(cwd, `${name}.json`), pages.map(({ text }) => text).join('\n'))
    }
    const taken = await runMain(['ingest', 'makers.json', 'hotspots.json', '--lake', 'copy'], { cwd })
    expect([taken.code, taken.stderr]).toEqual([0, ''])
    const copy = await serving('copy')
    for (const path of ['l2/makers', 'l2/hotspots?per_page=100', 'l2/hotspots?per_page=100&page=2']) {
      expect(await copy(`/v1/net/${path}`)).toEqual(await plain(`/v1/net/${path}`))
    }
  })
})

/** A specified reply in the spelling of the hosted service. */
function respelled(text: string): string {
  return text
    .replace(/"(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d+)?Z"/g, '"$1 $2 UTC"')
    .replace(/_reward_token_main"/g, '_reward_token_hnt"')
    .replace(/"(\w+)":\d+,"\1_exact":("[\d.]+")/g, '"$1":$2,"$1_exact":$2')
}
