import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { deriveAll } from '../../support/lakes/derive-all.ts'
import {
  dayBefore,
  hotspot,
  iotShare,
  type MadeLake,
  makeLake,
  manifest,
  mobileShare,
} from '../../support/lakes/make-lake.ts'
import { hotspotRecord, makerRecord, writeRecords } from '../../support/messages/record-files.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { gatedServer } from '../../support/servers/gated-server.ts'
import { countIndexReads, workOf } from '../../support/servers/work-of.ts'
import { makeFolder } from '../../support/temporary-folder.ts'

countIndexReads()

const [first, second] = [hotspot(1), hotspot(2)]
const paid = (date: string, key: Uint8Array, amounts: object) =>
  iotShare({ ...dayBefore(date), reward_type: 'gateway_reward', hotspot_key: key, ...amounts })
const epochOf = (date: string) => {
  const { start_period, end_period } = dayBefore(date)
  return { start_timestamp: start_period, end_timestamp: end_period }
}

/** Four epochs: one in IOT, two in the main token, of which one has no price, and one without a manifest. */
const files = {
  'iot/iot_reward_share.1.gz': [paid('2025-01-31', first.raw, { beacon_amount: 2_000_000n })],
  'iot/iot_reward_share.2.gz': [
    paid('2025-02-14', first.raw, { beacon_amount: 150n, witness_amount: 50n }),
    paid('2025-02-14', second.raw, { witness_amount: 100n }),
    iotShare({ ...dayBefore('2025-02-14'), reward_type: 'operational_reward', amount: 1000n }),
  ],
  'iot/iot_reward_share.3.gz': [paid('2025-02-15', second.raw, { dc_transfer_amount: 2n ** 63n })],
  'iot/iot_reward_share.4.gz': [paid('2025-02-16', second.raw, { beacon_amount: 9n })],
  'iot/reward_manifest.5.gz': [
    manifest({
      ...epochOf('2025-01-31'),
      ...{ written_files: ['iot_reward_share.1.gz'], reward_type: 'iot' },
      ...{ token: 'iot_reward_token_iot', price: 500n },
    }),
  ],
  'iot/reward_manifest.6.gz': [
    manifest({
      ...epochOf('2025-02-14'),
      ...{ written_files: ['iot_reward_share.2.gz'], reward_type: 'iot' },
      ...{ token: 'iot_reward_token_main', price: 400_000_000n },
    }),
  ],
  'iot/reward_manifest.7.gz': [
    manifest({
      ...epochOf('2025-02-15'),
      ...{ written_files: ['iot_reward_share.3.gz'], reward_type: 'iot' },
      ...{ token: 'iot_reward_token_main', price: 0n },
    }),
  ],
  'mobile/mobile_reward_share.1.gz': [
    mobileShare({
      ...dayBefore('2025-02-14'),
      ...{
        reward_type: 'radio_reward_v2',
        hotspot_key: first.raw,
        base_poc_reward: 30n,
        boosted_poc_reward: 4n,
      },
    }),
    mobileShare({
      ...dayBefore('2025-02-14'),
      ...{ reward_type: 'gateway_reward', hotspot_key: first.raw, dc_transfer_reward: 5n },
    }),
    mobileShare({
      ...dayBefore('2025-02-14'),
      ...{ reward_type: 'service_provider_reward', service_provider_id: 'helium_mobile', amount: 70n },
    }),
  ],
  'mobile/reward_manifest.8.gz': [
    manifest({
      ...epochOf('2025-02-14'),
      ...{ written_files: ['mobile_reward_share.1.gz'], reward_type: 'mobile' },
      // One bone stands for half a byte.
      ...{ token: 'mobile_reward_token_main', price: 2n ** 32n },
    }),
  ],
}

let lake: MadeLake
let server: TestServer

beforeAll(async () => {
  lake = await makeLake(files)
  server = await buildTestServer(lake.folder)
})

const iot = '/l2/iot-reward-shares/totals/series'
const mobile = '/l2/mobile-reward-shares/totals/series'
const range = 'from=2025-01-01&to=2025-03-01'

/** The records of a reply, with their integers as text. */
async function recordsOf(path: string): Promise<readonly Readonly<Record<string, string | null>>[]> {
  const { status, text } = await server.get(`${path}&integers=string`)
  expect(status, text).toBe(200)
  return JSON.parse(text).records
}

/** Some members of each record. */
async function column(path: string, ...names: readonly string[]) {
  return (await recordsOf(path)).map((record) => names.map((name) => record[name]).join(' '))
}

describe('sums by day', () => {
  it('sum the epochs whose middle lies in the day by token, with USD at the price of the manifest', async () => {
    expect(await recordsOf(`${iot}?from=2025-01-01&to=2025-02-14`)).toEqual([
      {
        ...{ start: '2025-01-30', token: 'iot_reward_token_iot', group: null, name: null },
        ...{ total_beacon_amount: '2000000', formatted_total_beacon_amount: '2.0' },
        ...{ total_witness_amount: '0', formatted_total_witness_amount: '0.0' },
        ...{ total_dc_transfer_amount: '0', formatted_total_dc_transfer_amount: '0.0' },
        ...{ total_amount: '0', formatted_total_amount: '0.0' },
        // Two IOT at 0.0005 USD.
        ...{ earned: '2000000', formatted_earned: '2.0', usd: '0.001' },
      },
      {
        ...{ start: '2025-02-13', token: 'iot_reward_token_main', group: null, name: null },
        ...{ total_beacon_amount: '150', formatted_total_beacon_amount: '0.0000015' },
        ...{ total_witness_amount: '150', formatted_total_witness_amount: '0.0000015' },
        ...{ total_dc_transfer_amount: '0', formatted_total_dc_transfer_amount: '0.0' },
        ...{ total_amount: '1000', formatted_total_amount: '0.00001' },
        // 300 bones at 4 USD; what nobody's hotspot was paid is not in it.
        ...{ earned: '300', formatted_earned: '0.000003', usd: '0.000012' },
      },
    ])
  })

  it('have no USD if the manifest has no price, and no token without a manifest', async () => {
    expect(
      await column(
        `${iot}?from=2025-02-15&to=2025-02-16`,
        'start',
        'token',
        'earned',
        'formatted_earned',
        'usd',
      ),
    ).toEqual([
      '2025-02-14 iot_reward_token_main 9223372036854775808 92233720368.54775808 ',
      '2025-02-15  9  ',
    ])
  })

  it.each(['Europe/Berlin', 'America/Los_Angeles', 'Asia/Tokyo', 'UTC'])(
    'have the pay that ends at 00:00 UTC on the 14th on the 13th in %s',
    async (zone) => {
      expect(await column(`${iot}?from=2025-02-14&to=2025-02-14T01:00:00Z&tz=${zone}`, 'start')).toEqual([
        '2025-02-13',
      ])
    },
  )

  it('add every kind of pay of a mobile hotspot to earned', async () => {
    const names = [
      'total_poc_reward',
      'total_base_poc_reward',
      'total_boosted_poc_reward',
      'total_amount',
      'earned',
    ]
    expect(await column(`${mobile}?${range}`, ...names, 'total_offloaded_bytes')).toEqual(['0 30 4 70 39 3'])
  })
})

describe('other steps', () => {
  it('are weeks from Monday, months, and the whole range', async () => {
    const starts = (interval: string) =>
      column(`${iot}?${range}&interval=${interval}`, 'start', 'token', 'earned')
    expect(await starts('week')).toEqual([
      '2025-01-27 iot_reward_token_iot 2000000',
      '2025-02-10  9',
      '2025-02-10 iot_reward_token_main 9223372036854776108',
    ])
    expect(await starts('month')).toEqual([
      '2025-01-01 iot_reward_token_iot 2000000',
      '2025-02-01  9',
      '2025-02-01 iot_reward_token_main 9223372036854776108',
    ])
    expect(await starts('all')).toEqual([
      '  9',
      ' iot_reward_token_iot 2000000',
      ' iot_reward_token_main 9223372036854776108',
    ])
  })
})

describe('groups', () => {
  it('are reward types and tokens', async () => {
    const day = 'from=2025-02-13&to=2025-02-14'
    expect(await column(`${iot}?${day}&group_by=reward_type`, 'group', 'earned', 'total_amount')).toEqual([
      'gateway_reward 300 0',
      'operational_reward 0 1000',
    ])
    expect(await column(`${iot}?${day}&group_by=token`, 'group', 'earned')).toEqual([
      'iot_reward_token_main 300',
    ])
  })
})

it('sums of a whole network by reward type read neither a file nor an index', async () => {
  const asked = `${iot}?from=2025-01-01&to=2025-02-15T12:00:00Z&group_by=reward_type`
  expect(await workOf(server, asked)).toMatchObject({ statements: 0, files: 0, indexReads: 0 })
})

it('meta explains days, owners and USD', async () => {
  const { meta } = JSON.parse((await server.get(`${iot}?${range}&tz=Europe/Berlin`)).text)
  expect(meta).toMatchObject({
    ...{
      interval: 'day',
      tz: 'Europe/Berlin',
      group_by: null,
      limit: null,
      from_served: null,
      hotspots: null,
    },
    earned: 'earned is all that hotspots were paid: beacon_amount + witness_amount + dc_transfer_amount.',
    owners: null,
  })
  expect(meta.days).toContain('the middle of its epoch')
})

it('a range that a look-back shortens has another ETag than the same range when requested', async () => {
  const { ask, newKey } = await gatedServer(lake.folder)
  const key = await newKey({ lookbackDays: 1 })
  const from = String(
    (await ask(`/v1/net${iot}?from=2025-01-01&to=2999-01-01`, key)).headers['ledgerlake-from'],
  )
  const replyTo = async (start: string) => {
    const { headers, text } = await ask(`/v1/net${iot}?from=${start}&to=2999-01-01`, key)
    return { tag: headers.etag, served: JSON.parse(text).meta.from_served }
  }
  const [cut, asked] = [await replyTo('2025-01-01'), await replyTo(from)]
  expect([cut.served, asked.served]).toEqual([from, null])
  expect(cut.tag).not.toBe(asked.tag)
})

describe('bad parameters', () => {
  it.each([
    ['interval=hour', 'interval', 'interval is "hour"; use one of day, week, month, all'],
    [
      'tz=Europe/Berln',
      'tz',
      'tz is "Europe/Berln"; use a time zone of the IANA database, such as UTC or Europe/Berlin; did you mean Europe/Berlin?',
    ],
    [
      'group_by=hotspots',
      'group_by',
      'group_by is "hotspots"; use one of reward_type, token, hotspot, owner, maker; did you mean hotspot?',
    ],
    ['group_by=hotspot&limit=1001', 'limit', 'limit is "1001"; use a whole number from 1 to 1000'],
    [
      'hotspot_key=a,,b',
      'hotspot_key',
      'hotspot_key has an empty key; give the keys separated by single commas',
    ],
    ['page=2', 'page', 'page is not a parameter here; use'],
  ])('%s is 422', async (query, param, message) => {
    const { status, text } = await server.get(`${iot}?${range}&${query}`)
    expect(status).toBe(422)
    const [fault] = JSON.parse(text).errors
    expect(fault.param).toBe(param)
    expect(fault.message).toContain(message)
  })
})

describe('the hotspots of an owner', () => {
  const owned = `${iot}?${range}&owner=Ada`
  let indexed: TestServer
  let withoutIndex: TestServer

  beforeAll(async () => {
    const made = await makeFolder()
    const maker = makerRecord('maker', { id: '00000000-0000-4000-8000-000000000001' })
    const record = (number: number, owner: string) =>
      hotspotRecord(`asset-${number}`, { ecc_key: hotspot(number).text, owner, maker })
    writeRecords(join(made.folder, 'hotspots.ndjson'), [record(1, 'Ada'), record(2, 'Bob'), record(3, 'Ada')])
    await ingestInto(lake.folder, [made.folder])
    await made.remove()
    withoutIndex = await buildTestServer(lake.folder)
    await deriveAll(lake.folder)
    indexed = await buildTestServer(lake.folder)
    // Owners, and epochs without a manifest, are read once for each version of their tables.
    await indexed.get(owned)
    await indexed.get(`${iot}?${range}`)
  })
  afterAll(async () => {
    await indexed.close()
    await withoutIndex.close()
  })

  /** What the index answers; the engine has to say the same. */
  async function both(path: string, ...names: readonly string[]): Promise<readonly string[]> {
    const { text, statements, indexReads } = await workOf(indexed, `${path}&integers=string`)
    expect([statements, indexReads > 0]).toEqual([0, true])
    expect((await withoutIndex.get(`${path}&integers=string`)).text).toBe(text)
    const records: readonly Record<string, string | null>[] = JSON.parse(text).records
    return records.map((record) => names.map((name) => record[name]).join(' '))
  }

  it('are summed at once by a read of the index for each, without a statement', async () => {
    expect(await both(owned, 'start', 'earned', 'usd')).toEqual([
      '2025-01-30 2000000 0.001',
      '2025-02-13 200 0.000008',
    ])
    const { meta } = JSON.parse((await indexed.get(owned)).text)
    expect([meta.hotspots, meta.owners]).toEqual([
      2,
      'Owners and makers are read from the hotspots table of this snapshot; the owner at the time of the pay is unknown.',
    ])
  })

  it('are separate groups, the greatest of a token first', async () => {
    const keys = `hotspot_key=${first.text},${second.text},${hotspot(9).text}`
    expect(
      await both(`${iot}?${range}&${keys}&group_by=hotspot&interval=all`, 'token', 'group', 'earned'),
    ).toEqual([
      ` ${second.text} 9`,
      `iot_reward_token_iot ${first.text} 2000000`,
      `iot_reward_token_main ${second.text} 9223372036854775908`,
      `iot_reward_token_main ${first.text} 200`,
    ])
    expect(
      await both(`${iot}?${range}&${keys}&group_by=hotspot&interval=all&limit=1`, 'group', 'earned'),
    ).toEqual([`${second.text} 9`, `${first.text} 2000000`, `${second.text} 9223372036854775908`])
    expect(await both(`${iot}?${range}&${keys}&group_by=owner&interval=all`, 'group', 'earned')).toEqual([
      'Bob 9',
      'Ada 2000000',
      'Bob 9223372036854775908',
      'Ada 200',
    ])
  })

  it('have null for rewards of the whole network that no hotspot was paid', async () => {
    const { text } = await indexed.get(`${iot}?from=2025-02-13&to=2025-02-14&group_by=owner&integers=string`)
    const records: readonly Record<string, string | null>[] = JSON.parse(text).records
    expect(records.map(({ group, earned, total_amount }) => [group, earned, total_amount])).toEqual([
      ['Ada', '200', '0'],
      ['Bob', '100', '0'],
      [null, '0', '1000'],
    ])
  })

  it('may be many in the body of a POST', async () => {
    const post = (payload: object, more = '') =>
      indexed.server.inject({ method: 'POST', url: `/v1/net${iot}?${range}${more}`, payload })
    const keys = [first.text, second.text]
    const reply = await post({ hotspot_keys: keys })
    expect(reply.statusCode).toBe(200)
    expect(reply.body).toBe((await indexed.get(`${iot}?${range}&hotspot_key=${keys.join(',')}`)).text)
    const sentence = async (payload: object, more?: string) => {
      const { statusCode, body } = await post(payload, more)
      return [statusCode, JSON.parse(body).errors?.[0].message]
    }
    expect(await sentence({ hotspot_keys: [] })).toEqual([422, 'hotspot_keys has no key; give at least one'])
    expect(await sentence({ hotspot_keys: Array.from({ length: 10_001 }, String) })).toEqual([
      422,
      'hotspot_keys has 10001 keys; the limit is 10000',
    ])
    expect(await sentence({ keys })).toEqual([
      422,
      'hotspot_keys is the one member that the body has; use {"hotspot_keys": ["…"]}',
    ])
    expect(await sentence({ hotspot_keys: keys }, `&hotspot_key=${first.text}`)).toEqual([
      422,
      'hotspot_keys stand in the body and in the address; give them once',
    ])
  })
})
