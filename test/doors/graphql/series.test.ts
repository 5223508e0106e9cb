import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { deriveAll } from '../../support/lakes/derive-all.ts'
import {
  dayBefore,
  hotspot,
  iotReward,
  makeLake,
  manifest,
  mobileShare,
} from '../../support/lakes/make-lake.ts'
import { hotspotRecord, makerRecord, writeRecords } from '../../support/messages/record-files.ts'
import { writeRewards } from '../../support/network/archive.ts'
import { askGraphql } from '../../support/servers/ask-graphql.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { gatedServer } from '../../support/servers/gated-server.ts'
import { countIndexReads, workOf } from '../../support/servers/work-of.ts'
import { some } from '../../support/some.ts'
import { makeFolder } from '../../support/temporary-folder.ts'

countIndexReads()

const MAKER = '00000000-0000-4000-8000-000000000001'
const [first, second] = [hotspot(1).text, hotspot(2).text]
const { start_period: start_timestamp, end_period: end_timestamp } = dayBefore('2025-02-14')
const ofManifest = { start_timestamp, end_timestamp, price: 400_000_000n }

const files = {
  'iot/iot_reward_share.1.gz': [
    iotReward('2025-02-14', 1, { beacon_amount: 150n, witness_amount: 50n }),
    iotReward('2025-02-14', 2, { dc_transfer_amount: 2n ** 64n - 1n }),
  ],
  'iot/iot_reward_share.2.gz': [iotReward('2025-02-15', 2, { beacon_amount: 9n })],
  'iot/reward_manifest.3.gz': [
    manifest({
      ...ofManifest,
      ...{ written_files: ['iot_reward_share.1.gz'], reward_type: 'iot', token: 'iot_reward_token_main' },
    }),
  ],
  'iot/iot_reward_share.4.gz': Array.from({ length: 700 }, (_, number) =>
    iotReward('2025-06-01', number + 10, { beacon_amount: 1n }),
  ),
  'mobile/mobile_reward_share.1.gz': [
    mobileShare({
      ...{ ...dayBefore('2025-02-14'), reward_type: 'radio_reward_v2', hotspot_key: hotspot(1).raw },
      ...{ base_poc_reward: 30n, boosted_poc_reward: 4n },
    }),
    mobileShare({
      ...{ ...dayBefore('2025-02-14'), reward_type: 'service_provider_reward' },
      ...{ service_provider_id: 'helium_mobile', amount: 70n },
    }),
  ],
}

const ledger = Array.from({ length: 6 }, (_, number) => ({
  ...{ source_file: 'data_xaa.csv.gz', ordinal: BigInt(number), block: 1000n + BigInt(number) },
  ...{ transaction_hash: `t${number}`, time: 1_600_000_000n + BigInt(number) * 50_000n },
  ...{ account_address: number < 4 ? 'ada' : 'bob', gateway_address: `gateway-${number % 2}` },
  ...{ amount: 2n ** 62n + BigInt(number), type: 'poc_witness' },
}))

let lake: string
let server: TestServer

beforeAll(async () => {
  const made = await makeLake(files)
  lake = made.folder
  const { folder, remove } = await makeFolder()
  const maker = makerRecord('maker', { id: MAKER })
  writeRecords(join(folder, 'hotspots.ndjson'), [
    hotspotRecord('asset-1', { ecc_key: first, owner: 'Ada', maker }),
    hotspotRecord('asset-2', { ecc_key: second, owner: 'Bob' }),
  ])
  await ingestInto(lake, [folder, writeRewards(folder, { 'data_xaa.csv.gz': ledger })])
  await remove()
  await deriveAll(lake)
  server = await buildTestServer(lake)
})

const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** A record of REST with the names that GraphQL has. */
const inCamelCase = (record: object) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [camel(name), value]))

/** Members that the records of both doors have, as a selection. */
async function selectionOf(path: string): Promise<{
  meta: { medians?: readonly object[] | null; unknown?: object | null; names?: object | null }
  records: readonly object[]
}> {
  const { status, text } = await server.get(`${path}&integers=string`)
  expect(status, text).toBe(200)
  return JSON.parse(text)
}

const iot = '/l2/iot-reward-shares/totals/series?from=2025-02-01&to=2025-03-01'
const mobile = '/l2/mobile-reward-shares/totals/series?from=2025-02-01&to=2025-03-01'
const range = 'from: "2025-02-01", to: "2025-03-01"'

describe('a series of GraphQL', () => {
  it.each([
    [iot, `iotRewardShareSeries(${range})`],
    [
      `${iot}&interval=week&tz=Europe/Berlin`,
      `iotRewardShareSeries(${range}, interval: WEEK, tz: "Europe/Berlin")`,
    ],
    [`${iot}&interval=all&group_by=token`, `iotRewardShareSeries(${range}, interval: ALL, groupBy: TOKEN)`],
    [`${iot}&group_by=hotspot&limit=1`, `iotRewardShareSeries(${range}, groupBy: HOTSPOT, limit: 1)`],
    [
      `${iot}&group_by=hotspot&interval=all&limit=1&median=true`,
      `iotRewardShareSeries(${range}, groupBy: HOTSPOT, interval: ALL, limit: 1, median: true)`,
    ],
    [`${iot}&owner=Ada`, `iotRewardShareSeries(${range}, owner: "Ada")`],
    [
      `${iot}&maker_id=${MAKER}&group_by=maker`,
      `iotRewardShareSeries(${range}, makerId: "${MAKER}", groupBy: MAKER)`,
    ],
    [
      `${iot}&hotspot_key=${first},${second}&group_by=owner`,
      `iotRewardShareSeries(${range}, hotspotKeys: ["${first}", "${second}"], groupBy: OWNER)`,
    ],
    [
      `${mobile}&reward_type=radio_reward_v2&interval=month`,
      `mobileRewardShareSeries(${range}, rewardType: "radio_reward_v2", interval: MONTH)`,
    ],
    [
      `${mobile}&group_by=service_provider`,
      `mobileRewardShareSeries(${range}, groupBy: SERVICE_PROVIDER, tz: null, limit: null)`,
    ],
    ['/l1/rewards/series?group_by=owner', 'l1RewardSeries(groupBy: OWNER)'],
    [
      '/l1/rewards/series?from=2020-09-13&type=poc_witness&account_address=ada&group_by=hotspot',
      'l1RewardSeries(from: "2020-09-13", type: "poc_witness", accountAddress: "ada", groupBy: HOTSPOT)',
    ],
    ['/l1/rewards/series?block=1001&interval=all', 'l1RewardSeries(block: 1001, interval: ALL)'],
  ])('equals the response of REST at %s', async (path, call) => {
    const { meta, records } = await selectionOf(path)
    const [row = {}] = some(records)
    const members = Object.keys(inCamelCase(row)).join(' ')
    // Unknown values are in the extensions of GraphQL, and only REST repeats names.
    const { medians = null, unknown, names, ...told } = meta
    expect([unknown, names]).toEqual([null, null])
    const notes = `${Object.keys(inCamelCase(told)).join(' ')} medians { token hotspots median formattedMedian }`
    const { text } = await askGraphql(
      server.server,
      `{ series: ${call} { meta { ${notes} } rows { ${members} } } }`,
    )
    expect(JSON.parse(text).data).toEqual({
      series: {
        meta: { ...inCamelCase(told), medians: medians?.map(inCamelCase) ?? null },
        rows: records.map(inCamelCase),
      },
    })
  })

  it('keeps every digit', async () => {
    const query = `{ iotRewardShareSeries(${range}) { rows { start totalDcTransferAmount formattedTotalDcTransferAmount earned usd } } }`
    const { text } = await askGraphql(server.server, query)
    expect(JSON.parse(text).data.iotRewardShareSeries.rows).toEqual([
      {
        ...{ start: '2025-02-13', totalDcTransferAmount: '18446744073709551615' },
        ...{ formattedTotalDcTransferAmount: '184467440737.09551615', earned: '18446744073709551815' },
        // 184,467,440,737.09551815 tokens at 4 USD.
        usd: '737869762948.3820726',
      },
      {
        ...{ start: '2025-02-14', totalDcTransferAmount: '0', formattedTotalDcTransferAmount: null },
        ...{ earned: '9', usd: null },
      },
    ])
  })

  it('accepts all its arguments as variables, and uses the snapshot of as_of', async () => {
    const query =
      'query ($from: ISO8601DateTime!, $to: ISO8601DateTime!, $keys: [String!], $by: IotRewardShareSeriesGroup, $step: SeriesInterval) ' +
      '{ iotRewardShareSeries(from: $from, to: $to, hotspotKeys: $keys, groupBy: $by, interval: $step) { rows { group earned } } }'
    const variables = { from: '2025-02-01', to: '2025-03-01', keys: [first], by: 'HOTSPOT', step: 'ALL' }
    const now = await askGraphql(server.server, query, variables)
    expect(JSON.parse(now.text).data.iotRewardShareSeries.rows).toEqual([{ group: first, earned: '200' }])
    const before = '/graphql?as_of=1990-01-01'
    expect((await askGraphql(server.server, query, variables, before)).errors[0]?.message).toContain('as_of')
    const id = String(now.headers['ledgerlake-snapshot'])
    expect((await askGraphql(server.server, query, variables, `/graphql?as_of=${id}`)).text).toBe(now.text)
  })

  it('reads no more than REST: nothing for the network, the index for hotspots', async () => {
    const work = async (call: string) => {
      const query = encodeURIComponent(`{ ${call} { rows { earned } } }`)
      // The path goes below /v1/net.
      const { statements, indexReads } = await workOf(server, `/../../graphql?query=${query}`)
      return [statements, indexReads > 0]
    }
    const upTo = 'from: "2025-02-01", to: "2025-02-14"'
    expect(await work(`iotRewardShareSeries(${upTo})`)).toEqual([0, false])
    expect(await work(`iotRewardShareSeries(${upTo}, hotspotKeys: ["${first}", "${second}"])`)).toEqual([
      0,
      true,
    ])
  })
})

describe('an invalid series', () => {
  const faultsOf = async (call: string, variables = {}) => {
    const head = 'keys' in variables ? 'query ($keys: [String!]) ' : ''
    const { status, data, errors } = await askGraphql(
      server.server,
      `${head}{ ${call} { rows { start } } }`,
      variables,
    )
    return { status, data, path: errors[0]?.path, faults: errors[0]?.extensions.errors ?? errors[0]?.message }
  }

  it.each([
    ['tz: "Europe/Berln"', '&tz=Europe/Berln'],
    ['limit: 0', '&limit=0'],
    ['rewardType: "gatway_reward"', '&reward_type=gatway_reward'],
    ['limit: 1001, tz: "x"', '&limit=1001&tz=x'],
  ])('has the error of REST: %s', async (argument, query) => {
    const { errors } = JSON.parse((await server.get(iot + query)).text)
    expect(errors.length).toBeGreaterThan(0)
    expect(await faultsOf(`iotRewardShareSeries(${range}, ${argument})`)).toEqual({
      ...{ status: 200, data: null, path: ['iotRewardShareSeries'] },
      faults: errors.map(({ param, message }: { param: string; message: string }) => ({
        param: camel(param),
        message: message.replace(param, camel(param)),
      })),
    })
  })

  it('returns an error for an empty range and for invalid keys of hotspots', async () => {
    const one = async (call: string, variables?: object) =>
      ((await faultsOf(call, variables)).faults as readonly { message: string }[]).map(
        ({ message }) => message,
      )
    const empty = 'from is "2025-03-01" and to is "2025-02-01"; from must be before to'
    expect(await one('iotRewardShareSeries(from: "2025-03-01", to: "2025-02-01")')).toEqual([empty, empty])
    const keyed = `iotRewardShareSeries(${range}, hotspotKeys: $keys)`
    expect(await one(keyed, { keys: [] })).toEqual(['hotspotKeys has no key; give at least one'])
    expect(await one(keyed, { keys: ['a', ''] })).toEqual([
      'hotspotKeys has an empty key; give the keys separated by single commas',
    ])
    expect(await one(keyed, { keys: Array.from({ length: 10_001 }, String) })).toEqual([
      'hotspotKeys has 10001 keys; the limit is 10000',
    ])
    expect(await faultsOf(keyed, { keys: Array.from({ length: 10_000 }, String) })).toMatchObject({
      data: { iotRewardShareSeries: { rows: [] } },
    })
    expect(await one('l1RewardSeries(type: "poc_witnes")')).toEqual([
      expect.stringMatching(
        /^type is "poc_witnes", which no record has; use one of .*; did you mean poc_witness\?$/,
      ),
    ])
  })

  it('returns an error for an unknown interval or group before execution', async () => {
    const call = (more: string) => faultsOf(`iotRewardShareSeries(${range}, ${more})`)
    expect((await call('interval: HOUR')).faults).toContain(
      'Value "HOUR" does not exist in "SeriesInterval" enum.',
    )
    expect((await call('groupBy: SERVICE_PROVIDER')).faults).toContain('"IotRewardShareSeriesGroup" enum')
  })

  it('returns an error without a range or days', async () => {
    expect((await faultsOf('iotRewardShareSeries')).faults).toContainEqual({
      param: 'from',
      message:
        'from is required; use an ISO 8601 date or time such as 2026-07-01 or 2026-07-01T00:00:00Z, or give firstDay and lastDay',
    })
  })

  it('returns an error for more values than a query may request', async () => {
    // 700 rows: 28 members make 19,600 values, one more 20,300.
    const series = (name: string, members: number) =>
      `${name}: iotRewardShareSeries(from: "2025-05-01", to: "2025-06-02", groupBy: HOTSPOT, limit: 1000)
       { rows { ${Array.from({ length: members }, (_, at) => `m${at}: start`).join(' ')} } }`
    const shorter =
      'iotRewardShareSeries(from: "2025-05-01", to: "2025-06-02", groupBy: HOTSPOT, limit: 1000) { rows { group usd } }'
    const ask = (...calls: readonly string[]) => askGraphql(server.server, `{ ${calls.join(' ')} }`)
    const whole = await ask(series('a', 28))
    expect(JSON.parse(whole.text).data.a.rows).toHaveLength(700)
    const message =
      'The series of the query have more than 20000 values; ask for a shorter range, longer steps, a smaller limit or fewer fields.'
    expect((await ask(series('a', 29))).errors).toMatchObject([{ message, path: ['a', 'rows'] }])
    expect((await ask(series('a', 14), series('b', 14))).errors).toEqual([])
    // Which of two is finished last has the error.
    const { errors } = await ask(series('a', 14), 'status', series('b', 13), shorter)
    expect(errors).toMatchObject([{ message }])
  })
})

describe('a key', () => {
  const query = (call: string) =>
    ({
      ...{ method: 'POST' as const, headers: { 'content-type': 'application/json' } },
      payload: JSON.stringify({ query: `{ status ${call} }` }),
    }) as const

  it('needs the features that it needs over REST', async () => {
    const { ask, newKey } = await gatedServer(lake)
    const iotCall = query(`iotRewardShareSeries(${range}) { rows { start } }`)
    const ledgerCall = query('l1RewardSeries { rows { start } }')
    const all = ['HotspotData', 'OracleData', 'Aggregates'] as const
    for (const [call, path, lacking] of [
      [iotCall, iot, 'OracleData'],
      [iotCall, iot, 'Aggregates'],
      [ledgerCall, '/l1/rewards/series', 'HotspotData'],
      [ledgerCall, '/l1/rewards/series', 'Aggregates'],
    ] as const) {
      const key = await newKey({ features: all.filter((one) => one !== lacking) })
      const rest = JSON.parse((await ask(`/v1/net${path}`, key)).text)
      expect(rest.code).toBe('feature_not_available')
      const { status, text } = await ask('/graphql', key, call)
      const [error] = JSON.parse(text).errors
      expect([status, error.message, error.extensions.code]).toEqual([200, rest.error, rest.code])
    }
    const key = await newKey({ features: ['OracleData', 'Aggregates'] })
    expect(JSON.parse((await ask('/graphql', key, iotCall)).text).errors).toBeUndefined()
  })

  it('with a look-back gets the start of the served range', async () => {
    const { ask, newKey } = await gatedServer(lake)
    const call = query(`iotRewardShareSeries(${range}) { meta { fromServed } rows { start } }`)
    const { text, headers } = await ask('/graphql', await newKey({ lookbackDays: 30 }), call)
    const { meta, rows } = JSON.parse(text).data.iotRewardShareSeries
    expect([rows, meta.fromServed]).toEqual([[], headers['ledgerlake-from']])
    expect(meta.fromServed).toMatch(/^\d{4}-\d{2}-\d{2}T00:00:00Z$/)
  })
})
