import { beforeAll, describe, expect, it } from 'vitest'
import { relay } from '../../../src/doors/dialect/relay.ts'
import { ofArrays } from '../../support/engines.ts'
import { deriveAll } from '../../support/lakes/derive-all.ts'
import {
  at,
  dayBefore,
  hotspot,
  makeLake,
  manifest,
  mobileShare,
  priced,
} from '../../support/lakes/make-lake.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { gatedServer } from '../../support/servers/gated-server.ts'
import { countIndexReads, workOf } from '../../support/servers/work-of.ts'

/** The two sums that the hosted service alone has. */

countIndexReads()

const daily = '/l2/mobile-reward-shares/daily-totals'
const byProvider = '/l2/mobile-reward-shares/totals-by-service-provider'
const range = 'from=2025-02-01&to=2025-03-01'

const lateOnThe14th = { start_period: at('2025-02-14T00:00:00Z'), end_period: at('2025-02-14T23:59:59Z') }
const [first, second] = [hotspot(1), hotspot(2)]
const provided = (date: string, service_provider_id: string) =>
  mobileShare({
    ...dayBefore(date),
    reward_type: 'service_provider_reward',
    service_provider_id,
    amount: 70n,
  })

/** Two epochs that end on one date, one of them in MOBILE, and one without a manifest two days later. */
const files = {
  'mobile/mobile_reward_share.1.gz': [
    mobileShare({
      ...{ ...dayBefore('2025-02-14'), reward_type: 'gateway_reward', hotspot_key: first.raw },
      dc_transfer_reward: 5n,
    }),
    mobileShare({
      ...{ ...dayBefore('2025-02-14'), reward_type: 'radio_reward', hotspot_key: second.raw },
      ...{ dc_transfer_reward: 7n, poc_reward: 3n },
    }),
    mobileShare({
      ...{ ...dayBefore('2025-02-14'), reward_type: 'subscriber_reward', subscriber_id: hotspot(3).raw },
      ...{ discovery_location_amount: 11n, subscriber_reward: 13n },
    }),
    mobileShare({
      ...{ ...dayBefore('2025-02-14'), reward_type: 'promotion_reward', entity: 'x' },
      ...{ service_provider_amount: 17n, matched_amount: 19n },
    }),
    provided('2025-02-14', 'helium_mobile'),
  ],
  'mobile/mobile_reward_share.2.gz': [
    mobileShare({
      ...{ ...lateOnThe14th, reward_type: 'gateway_reward', hotspot_key: first.raw },
      dc_transfer_reward: 2n,
    }),
  ],
  'mobile/mobile_reward_share.3.gz': [
    mobileShare({
      ...{ ...dayBefore('2025-02-16'), reward_type: 'gateway_reward', hotspot_key: first.raw },
      dc_transfer_reward: 2n ** 64n - 1n,
    }),
    provided('2025-02-16', '5'),
    provided('2025-02-16', 'helium_mobile'),
  ],
  // A bone of the first file stands for half a byte, one of the second for a byte.
  'mobile/reward_manifest.4.gz': [priced('mobile_reward_share.1.gz', 2n ** 32n)],
  'mobile/reward_manifest.5.gz': [
    manifest({
      ...{ written_files: ['mobile_reward_share.2.gz'], token: 'mobile_reward_token_mobile' },
      price: 2n ** 31n,
    }),
  ],
}

let lake: string
/** With the index by hotspot, without it, and over arrays of rows. */
let servers: readonly [TestServer, TestServer, TestServer]

beforeAll(async () => {
  lake = (await makeLake(files)).folder
  const hosted = (around?: typeof ofArrays) => buildTestServer(lake, 60_000, around, { dialect: relay })
  const others = [await hosted(), await hosted(ofArrays)] as const
  await deriveAll(lake)
  servers = [await hosted(), ...others]
})

/** The text of a reply that every server gives. */
async function textOf(path: string): Promise<string> {
  const replies = await Promise.all(servers.map((server) => server.get(path)))
  for (const { status, text } of replies) expect([status, text]).toEqual([200, replies[0]?.text])
  return replies[0]?.text ?? ''
}

/** `day dc poc subscriber discovery provider matched bytes` of each record, from its digits. */
async function daysOf(query: string): Promise<readonly string[]> {
  const { records } = JSON.parse(await textOf(`${daily}?${query}&integers=string`))
  return records.map((record: Readonly<Record<string, string>>) => Object.values(record).join(' '))
}

describe('totals by day of the hosted service', () => {
  it('have a record for each UTC date on which periods end, whatever the token', async () => {
    expect(await textOf(`${daily}?${range}`)).toBe(
      '{"records":[{"day":"2025-02-14","total_dc_transfer_reward":14,"total_poc_reward":3,"total_subscriber_reward":13,' +
        '"total_discovery_location_amount":11,"total_service_provider_amount":17,"total_matched_amount":19,' +
        // 2.5, 3.5 and 2 bytes, each rounded.
        '"total_offloaded_bytes":9},{"day":"2025-02-16","total_dc_transfer_reward":18446744073709551615,"total_poc_reward":0,' +
        '"total_subscriber_reward":0,"total_discovery_location_amount":0,"total_service_provider_amount":0,' +
        '"total_matched_amount":0,"total_offloaded_bytes":0}]}',
    )
  })

  it('filter by hotspot, by type and by end_period', async () => {
    expect(await daysOf(`${range}&hotspot_key=${first.text}`)).toEqual([
      '2025-02-14 7 0 0 0 0 0 5',
      '2025-02-16 18446744073709551615 0 0 0 0 0 0',
    ])
    expect(await daysOf(`${range}&reward_type=radio_reward`)).toEqual(['2025-02-14 7 3 0 0 0 0 4'])
    expect(await daysOf(`${range}&reward_type=radio_reward&hotspot_key=${first.text}`)).toEqual([])
    expect(await daysOf('from=2025-02-14 12:00:00 UTC&to=2025-02-15&tz=Asia/Tokyo&page=3')).toEqual([
      '2025-02-14 2 0 0 0 0 0 2',
    ])
    expect(await daysOf(`${range}&reward_type=nobody`)).toEqual([])
  })

  it('run no SQL: all hotspots are read from the log, one hotspot from the index', async () => {
    const [indexed] = servers
    const work = async (path: string) => {
      const { statements, indexReads } = await workOf(indexed, path)
      return [statements, indexReads > 0]
    }
    expect(await work(`${daily}?${range}`)).toEqual([0, false])
    expect(await work(`${daily}?${range}&hotspot_key=${second.text}`)).toEqual([0, true])
  })

  it('cover at most 366 days', async () => {
    const ask = (query: string) => servers[0].get(`${daily}?${query}`)
    expect((await ask('from=2025-01-01&to=2026-01-02')).status).toBe(200)
    const { status, text } = await ask('from=2025-01-01&to=2026-01-02T00:00:01Z')
    expect([status, JSON.parse(text)]).toEqual([
      422,
      {
        errors: [
          {
            param: 'to',
            message: 'to is "2026-01-02T00:00:01Z" and from is "2025-01-01"; use a range of at most 366 days',
          },
        ],
      },
    ])
    const missing = JSON.parse((await ask('hotspot_key=x')).text).errors
    expect(missing.map(({ param }: { param: string }) => param)).toEqual(['from', 'to'])
  })
})

describe('totals by service provider of the hosted service', () => {
  /** The sums are columns that a reward of a provider does not have: what it was paid is its amount. */
  const nothing =
    '"total_service_provider_amount":0,"total_matched_amount":0,"total_dc_transfer_reward":0,"total_offloaded_bytes":0}'

  it('have a record for each provider by its name, and none for rows without one', async () => {
    expect(await textOf(`${byProvider}?${range}`)).toBe(
      `{"records":[{"service_provider_id":"5",${nothing},{"service_provider_id":"helium_mobile",${nothing}]}`,
    )
    expect(
      await textOf(`${byProvider}?from=2025-02-01&to=2025-02-15&reward_type=service_provider_reward`),
    ).toBe(`{"records":[{"service_provider_id":"helium_mobile",${nothing}]}`)
    expect(await textOf(`${byProvider}?${range}&reward_type=gateway_reward`)).toBe('{"records":[]}')
    expect(await textOf(`${byProvider}?${range}&hotspot_key=${first.text}`)).toBe('{"records":[]}')
  })

  it('accept a range of any length, and run one statement', async () => {
    const { statements, text } = await workOf(servers[0], `${byProvider}?from=2000-01-01&to=2100-01-01`)
    expect([statements, JSON.parse(text).records.length]).toEqual([1, 2])
  })
})

describe('totals by day and totals by provider', () => {
  it.each([daily, byProvider])('%s reports the missing days of its range', async (path) => {
    // Nothing was paid for 16 February, whose period ends on the 17th, and the third file has no manifest.
    const { headers } = await servers[0].get(`${path}?from=2025-02-14&to=2025-02-17`)
    expect(headers['ledgerlake-missing']).toBe('days=1, manifests=1')
    const whole = await servers[0].get(`${path}?from=2025-02-14&to=2025-02-14T12:00:00Z`)
    expect([whole.status, whole.headers['ledgerlake-missing']]).toEqual([200, undefined])
  })

  it.each([daily, byProvider])('%s is in the index at / with a working address', async (path) => {
    const { body } = await servers[0].server.inject('/')
    const [, address = ''] = new RegExp(`"example":"([^"]*${path}[^"]*)"`).exec(body) ?? []
    const reply = await servers[0].server.inject(address)
    expect([reply.statusCode, JSON.parse(reply.body).records.length]).toEqual([200, 2])
  })

  it.each([daily, byProvider])('%s needs the features of totals', async (path) => {
    const { ask, newKey } = await gatedServer(lake, { options: { dialect: relay } })
    const asked = `/v1/helium${path}?${range}`
    for (const feature of ['OracleData', 'Aggregates'] as const)
      expect((await ask(asked, await newKey({ features: [feature] }))).status).toBe(401)
    const key = await newKey({ features: ['OracleData', 'Aggregates'], lookbackDays: 30 })
    expect((await ask(asked, key)).text).toBe('{"records":[]}')
  })

  it.each([daily, byProvider])('%s is unknown without the dialect of the hosted service', async (path) => {
    const plain = await buildTestServer(lake)
    expect((await plain.get(`${path}?${range}`)).status).toBe(404)
  })
})
