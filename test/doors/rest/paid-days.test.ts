import { beforeAll, describe, expect, it, vi } from 'vitest'
import {
  at,
  hotspot,
  iotShare,
  makeLake,
  manifest,
  mobileShare,
  type OracleFiles,
} from '../../support/lakes/make-lake.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { askGraphql } from '../../support/servers/ask-graphql.ts'
import { askSql } from '../../support/servers/ask-sql.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { gatedServer } from '../../support/servers/gated-server.ts'
import { mcpOver } from '../../support/servers/mcp-client.ts'

/**
 * Epochs of many lengths: each pays another power of ten, so that a sum says which of them are in it.
 * The days are those in which the middles lie, found by hand.
 */
const epochs = [
  ['2025-02-01T00:00:00Z', '2025-02-02T00:00:00Z', 1n], // middle 1 February 12:00
  ['2025-02-02T00:00:00Z', '2025-02-02T12:00:00Z', 10n], // 2 February 06:00
  ['2025-02-02T12:00:00Z', '2025-02-03T00:00:00Z', 100n], // 2 February 18:00
  ['2025-02-03T00:00:00Z', '2025-02-04T12:00:00Z', 1000n], // 3 February 18:00
  ['2025-02-04T12:00:00Z', '2025-02-05T23:59:59Z', 10_000n], // 5 February 05:59:59.5
  ['2025-02-05T23:59:59Z', '2025-02-06T00:00:00Z', 100_000n], // 5 February 23:59:59.5
  ['2025-02-06T00:00:00Z', '2025-02-07T00:00:00Z', 1_000_000n], // 6 February 12:00
  ['2025-02-07T00:00:00Z', '2025-02-09T00:00:00Z', 10_000_000n], // 8 February 00:00
] as const

const paidOn: Readonly<Record<string, bigint>> = {
  '2025-01-31': 0n,
  '2025-02-01': 1n,
  '2025-02-02': 110n,
  '2025-02-03': 1000n,
  '2025-02-04': 0n,
  '2025-02-05': 110_000n,
  '2025-02-06': 1_000_000n,
  '2025-02-07': 0n,
  '2025-02-08': 10_000_000n,
  '2025-02-09': 0n,
}
const days = Object.keys(paidOn)
const pairs = days.flatMap((first, place) => days.slice(place).map((last) => [first, last] as const))
const sumOf = (first: string, last: string) =>
  days.filter((day) => first <= day && day <= last).reduce((sum, day) => sum + (paidOn[day] ?? 0n), 0n)

const raw = hotspot(1).raw
const nameOf = (place: number) => `iot_reward_share.${place + 1}.gz`

function files(): OracleFiles {
  const iot = epochs.map(([start, end, beacon_amount], place) => {
    const period = { start_period: at(start), end_period: at(end) }
    const share = iotShare({ ...period, reward_type: 'gateway_reward', hotspot_key: raw, beacon_amount })
    return [`iot/${nameOf(place)}`, [share]] as const
  })
  // Every other file has a manifest; where the others begin, their rows say.
  const manifests = epochs.flatMap(([start, end], place) =>
    place % 2 === 0
      ? [
          manifest({
            ...{ written_files: [nameOf(place)], reward_type: 'iot', token: 'iot_reward_token_iot' },
            ...{ start_timestamp: at(start), end_timestamp: at(end) },
          }),
        ]
      : [],
  )
  const mobile = (day: number, amount: bigint) =>
    mobileShare({
      ...{ start_period: at(`2025-02-0${day}T01:30:00Z`), end_period: at(`2025-02-0${day + 1}T01:30:00Z`) },
      ...{ reward_type: 'gateway_reward', hotspot_key: raw, dc_transfer_reward: amount },
    })
  return {
    ...Object.fromEntries(iot),
    'manifests/network_reward_manifest_v1.9.gz': manifests,
    'mobile/mobile_reward_share.1.gz': [mobile(1, 3n)],
    'mobile/mobile_reward_share.2.gz': [mobile(2, 30n)],
  }
}

const iot = '/l2/iot-reward-shares'
let test: TestServer
let folder = ''

beforeAll(async () => {
  folder = (await makeLake(files())).folder
  test = await buildTestServer(folder)
})

async function read(path: string) {
  const { status, text, headers } = await test.get(path)
  return { status, headers, body: JSON.parse(text) }
}

const named = (first: string, last: string) => `first_day=${first}&last_day=${last}`

describe('first_day and last_day', () => {
  it('select the epochs whose middle lies in the days, for totals, lists and series', async () => {
    expect(pairs).toHaveLength(55)
    for (const [first, last] of pairs) {
      const range = named(first, last)
      const totals = await read(`${iot}/totals?${range}`)
      expect([range, totals.body.total_beacon_amount]).toEqual([range, Number(sumOf(first, last))])
      const list = await read(`${iot}?${range}&per_page=100`)
      const amounts = list.body.records.map((one: Detail) => BigInt(one.reward_detail.beacon_amount))
      expect([range, total(amounts)]).toEqual([range, sumOf(first, last)])
      const series = await read(`${iot}/totals/series?${range}`)
      const rows = series.body.records.map((row: SeriesRow) => [row.start, BigInt(row.earned)])
      const expected = days.filter((day) => first <= day && day <= last && paidOn[day] !== 0n)
      expect([range, sumBy(rows)]).toEqual([
        range,
        Object.fromEntries(expected.map((day) => [day, paidOn[day]])),
      ])
    }
  })

  it('are days of the column paid_day of the view in SQL', async () => {
    const rows = await askSql(
      folder,
      'SELECT paid_day, sum(earned) FROM iot_rewards GROUP BY ALL ORDER BY ALL',
    )
    const paid = Object.entries(paidOn).filter(([, sum]) => sum > 0n)
    expect(rows).toEqual(paid.map(([day, sum]) => [day, String(sum)]))
  })

  it('select the same rows in GraphQL connections, totals and series', async () => {
    for (const [first, last] of pairs.filter((_, place) => place % 6 === 0)) {
      const given = `(firstDay: "${first}", lastDay: "${last}")`
      const { data, errors } = await askGraphql(
        test.server,
        `{ iotRewardShares${given} { nodes { beaconAmount } } iotRewardShareTotals${given} { totalBeaconAmount }
           iotRewardShareSeries${given} { rows { start earned } } }`,
      )
      expect(errors).toEqual([])
      const answer = data as unknown as GraphqlAnswer
      const sum = sumOf(first, last)
      expect(total(answer.iotRewardShares.nodes.map((node) => BigInt(node.beaconAmount)))).toBe(sum)
      expect(BigInt(answer.iotRewardShareTotals.totalBeaconAmount)).toBe(sum)
      expect(total(answer.iotRewardShareSeries.rows.map((row) => BigInt(row.earned)))).toBe(sum)
    }
  })

  it('are arguments of tools for assistants', async () => {
    const mcp = await mcpOver(test.server)
    const days = { resource: 'iot_reward_shares', first_day: '2025-02-02', last_day: '2025-02-05' }
    const { isError, text } = await mcp.call('totals', days)
    expect([isError, JSON.parse(text).answer.total_beacon_amount]).toEqual([false, '111110'])
  })

  it('follow the epochs of each network; Mobile epochs begin at 01:30', async () => {
    const sums = ['2025-01-31', '2025-02-01', '2025-02-02', '2025-02-03'].map(
      async (day) => (await read(`/l2/mobile-reward-shares/totals?${named(day, day)}`)).body,
    )
    expect((await Promise.all(sums)).map((one) => one.total_dc_transfer_reward)).toEqual([0, 3, 30, 0])
  })

  it('are days of the time zone of a series', async () => {
    // Middles in Los Angeles, eight hours behind: 1 February 22:00 for the second epoch, 4 February 21:59:59.5 for the fifth.
    const range = named('2025-02-02', '2025-02-04')
    const { body } = await read(`${iot}/totals/series?${range}&tz=America/Los_Angeles`)
    const rows = body.records.map((row: SeriesRow) => [row.start, BigInt(row.earned)])
    expect(sumBy(rows)).toEqual({ '2025-02-02': 100n, '2025-02-03': 1000n, '2025-02-04': 10_000n })
  })

  it('of a month are its days', async () => {
    for (const [range, sum] of [
      ['first_day=2025-02&last_day=2025-02', 11_111_111],
      ['first_day=2025-01&last_day=2025-02-02', 111],
      ['first_day=2025-02-06&last_day=2025-02', 11_000_000],
    ])
      expect((await read(`${iot}/totals?${range}`)).body.total_beacon_amount).toBe(sum)
  })

  it('are in the name of a file', async () => {
    const { headers, text } = await test.get(`${iot}?${named('2025-02-02', '2025-02-03')}&format=csv`)
    expect(headers['content-disposition']).toBe(
      'attachment; filename="iot_reward_shares_2025-02-02_2025-02-03.csv"',
    )
    expect(headers['ledgerlake-rows']).toBe('3')
    expect(text.trimEnd().split('\n')).toHaveLength(4)
  })

  it('report which of the days are missing', async () => {
    const { headers, body } = await read(`${iot}/totals?${named('2025-01-31', '2025-02-02')}&coverage=true`)
    // 2 February is there by two epochs; of 31 January there is none.
    expect(body.coverage.epochs.missing).toEqual([{ first: '2025-01-31', last: '2025-01-31', days: 1 }])
    expect(headers['ledgerlake-missing']).toMatch(/^days=1, /)
  })

  it.each([
    [
      `from=2025-02-01&${named('2025-02-01', '2025-02-02')}`,
      'from cannot be combined with first_day or last_day; use either from and to, or the days.',
    ],
    ['first_day=2025-02-01', 'last_day is required beside first_day; use a day as in 2025-02-01.'],
    ['last_day=2025-02-01', 'first_day is required beside last_day; use a day as in 2025-02-01.'],
    [
      named('2025-02-02', '2025-02-01'),
      'first_day is 2025-02-02 and last_day is 2025-02-01; first_day must not be after last_day.',
    ],
    [
      named('2025-02-30', '2025-13'),
      'first_day is "2025-02-30"; use a day as in 2025-02-01, or a month as in 2025-02. last_day is "2025-13"; use a day as in 2025-02-01, or a month as in 2025-02.',
    ],
    [
      'to=2025-02-01',
      'from is required; use an ISO 8601 date or time such as 2026-07-01 or 2026-07-01T00:00:00Z, or give first_day and last_day.',
    ],
  ])('are refused for %s', async (query, sentence) => {
    for (const path of [iot, `${iot}/totals`, `${iot}/totals/series`]) {
      const { status, body } = await read(`${path}?${query}`)
      expect([status, body.error]).toEqual([422, sentence])
    }
  })

  it('of the ledger refer to block time, and each may be given alone', async () => {
    const ledger = await buildTestServer(await smallLake())
    const timesOf = async (query: string) => {
      const { text } = await ledger.get(`/l1/rewards?format=csv&columns=time&${query}`)
      return text.trimEnd().split('\n').slice(1)
    }
    const all = await timesOf('')
    const dayOf = (time: string) => new Date(Number(time) * 1000).toISOString().slice(0, 10)
    expect(all.length).toBeGreaterThan(0)
    const [day = '', ...others] = new Set(all.map(dayOf))
    expect(others).toEqual([])
    const [before, after] = [-1, 1].map((days) => dayOf(`${Date.parse(day) / 1000 + days * 86_400}`))
    for (const query of [`first_day=${day}`, `last_day=${day}`, named(String(before), day), named(day, day)])
      expect([query, await timesOf(query)]).toEqual([query, all])
    for (const query of [`first_day=${after}`, `last_day=${before}`, named(String(before), String(before))])
      expect([query, await timesOf(query)]).toEqual([query, []])
    const { headers } = await ledger.get(`/l1/rewards?format=csv&${named(day, String(after))}`)
    expect(headers['content-disposition']).toBe(`attachment; filename="l1_rewards_${day}_${after}.csv"`)
  })

  it('begin no earlier than the look-back of the key', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2025-02-05T10:00:00Z') })
    const { ask, newKey } = await gatedServer(folder)
    const key = await newKey({ lookbackDays: 1 })
    const asked = async (first: string) => {
      const { headers, text } = await ask(`/v1/net${iot}/totals?${named(first, '2025-02-08')}`, key)
      return [headers['ledgerlake-from'], JSON.parse(text).total_beacon_amount]
    }
    expect(await asked('2025-02-02')).toEqual(['2025-02-04T00:00:00Z', 11_111_000])
    expect(await asked('2025-02-05')).toEqual([undefined, 11_110_000])
    vi.useRealTimers()
  })
})

interface Detail {
  readonly reward_detail: { readonly beacon_amount: number }
}

interface SeriesRow {
  readonly start: string
  readonly earned: number
}

interface GraphqlAnswer {
  readonly iotRewardShares: { readonly nodes: readonly { readonly beaconAmount: string }[] }
  readonly iotRewardShareTotals: { readonly totalBeaconAmount: string }
  readonly iotRewardShareSeries: { readonly rows: readonly { readonly earned: string }[] }
}

function total(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => sum + amount, 0n)
}

/** A day may have a row for each token. */
function sumBy(rows: readonly (readonly [string, bigint])[]): Readonly<Record<string, bigint>> {
  const sums: Record<string, bigint> = {}
  for (const [day, amount] of rows) sums[day] = (sums[day] ?? 0n) + amount
  return sums
}
