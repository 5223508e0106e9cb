import { join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { estimateLedgerSeries } from '../../../src/answers/series/series-estimate.ts'
import { l1Rewards } from '../../../src/catalog/l1/rewards.ts'
import type { SeriesRequest } from '../../../src/catalog/query/series-parameters.ts'
import { workOf } from '../../../src/doors/gate/work-of.ts'
import type { Snapshot } from '../../../src/lake/snapshot/snapshot.ts'
import { type Cell, writeCsvPart } from '../../support/archive/csv.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { deriveAll } from '../../support/lakes/derive-all.ts'
import { hotspot, iotReward, type MadeLake, makeLake, mobileReward } from '../../support/lakes/make-lake.ts'
import { hotspotRecord, makerRecord, writeRecords } from '../../support/messages/record-files.ts'
import { askGraphql } from '../../support/servers/ask-graphql.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { gatedServer } from '../../support/servers/gated-server.ts'
import { mcpOver } from '../../support/servers/mcp-client.ts'

/** Keys by where they occur: paid on IoT, paid on Mobile alone, listed and never paid, on the first ledger alone, nowhere. */
const [paid, mobile, listed, gateway, nobody] = [1, 2, 3, 4, 5].map((one) => hotspot(one).text) as [
  string,
  string,
  string,
  string,
  string,
]
/** A wallet as L1 and L2 spell it. */
const wallet = [
  '14XmxQRNJi1aKAfhuEHrct7HoncRgc5HifL42HY5NFyViJyC8WV',
  'F4iiNGyxbeLaxwKYXoY9ZWD5FAFmMN8p5zHVCGwGMxX5',
] as const
const maker = '00000000-0000-4000-9000-000000000001'
const none = '00000000-0000-4000-9000-000000000009'
const nulls = (count: number): Cell[] => Array.from({ length: count }, () => null)
const days = 'from=2025-01-01&to=2025-01-31'
const shares = `/l2/iot-reward-shares`
const series = `${shares}/totals/series?${days}`

let made: MadeLake
/** One with blocks, copies and index by hotspot, and one that searches data files. */
const servers = new Map<string, TestServer>()

beforeAll(async () => {
  made = await makeLake({
    'iot/iot_reward_share.1.gz': [iotReward('2025-01-02', 1, { beacon_amount: 5n })],
    'mobile/mobile_reward_share.1.gz': [mobileReward('2025-01-02', 2, { dc_transfer_reward: 6n })],
  })
  const hotspots = join(made.input, 'hotspots.ndjson')
  const makers = join(made.input, 'makers.ndjson')
  writeRecords(makers, [makerRecord('one', { id: maker })])
  writeRecords(hotspots, [
    hotspotRecord('a', { ecc_key: paid, owner: 'owner-a', name: 'Brave Blue Heron' }),
    hotspotRecord('b', { ecc_key: listed, owner: 'owner-b', name: 'twice-told-tale' }),
    hotspotRecord('c', { ecc_key: mobile, owner: 'owner-b', name: 'twice-told-tale' }),
  ])
  const lines: readonly (readonly [string, Cell[]])[] = [
    [
      'gateway_inventory',
      [
        gateway,
        'account-g',
        ...nulls(3),
        '{}',
        '1',
        '2',
        '0',
        'old-red-gate',
        null,
        null,
        '0',
        '12',
        null,
        'full',
        null,
      ],
    ],
    ['rewards', ['100', 'hash-a', '1650000000', 'account-a', gateway, '70', 'poc_witness']],
    ['transaction_actors', [wallet[0], 'payer', 'hash-a', '100']],
  ]
  const folders = lines.map(([name, line]) => {
    writeCsvPart(join(made.input, name, 'data_0.csv.gz'), [line])
    return join(made.input, name)
  })
  const { failed, refusedRows } = await ingestInto(made.folder, [makers, hotspots, ...folders])
  expect([failed, refusedRows]).toEqual([[], 0])
  servers.set('data files alone', await buildTestServer(made.folder))
  await deriveAll(made.folder)
  servers.set('what is derived', await buildTestServer(made.folder))
})

const empty: readonly (readonly [path: string, unknown: string | undefined])[] = [
  [`${shares}?${days}&hotspot_key=${nobody}`, 'hotspot_key=1'],
  [`${shares}?${days}&hotspot_key=nonsense`, 'hotspot_key=1'],
  [`${shares}?${days}&hotspot_key=Brave%20Blue%20Heron`, 'hotspot_key=1'],
  [`${shares}?${days}&hotspot_key=${mobile}`, undefined],
  [`${shares}?${days}&hotspot_key=${listed}`, undefined],
  [`${shares}?${days}&hotspot_key=${gateway}`, undefined],
  [`${shares}?from=2026-01-01&to=2026-02-01&hotspot_key=${paid}`, undefined],
  [`${shares}/totals?${days}&hotspot_key=${nobody}`, 'hotspot_key=1'],
  [`${shares}/totals?${days}&hotspot_key=${listed}`, undefined],
  [`${shares}?${days}&hotspot_key=${nobody}&format=csv`, 'hotspot_key=1'],
  [`${shares}?${days}&hotspot_key=${listed}&format=parquet`, undefined],
  ['/l2/hotspots?owner=owner-z', 'owner=1'],
  ['/l2/hotspots?owner=account-a', undefined],
  [`/l2/hotspots?ecc_key=${gateway}`, undefined],
  [`/l2/hotspots?owner=owner-z&maker_id=${none}&ecc_key=${nobody}`, 'owner=1, ecc_key=1, maker_id=1'],
  [`/l2/hotspots?maker_id=${maker}`, undefined],
  ['/l2/hotspots?name=no%20such%20name', 'name=1'],
  ['/l2/hotspots?name=Old%20Red%20Gate', undefined],
  ['/l2/hotspots?asset_id=z', 'asset_id=1'],
  ['/l2/hotspots?networks=mobile', undefined],
  ['/l1/rewards?account_address=account-z', 'account_address=1'],
  ['/l1/rewards?account_address=account-g', undefined],
  [`/l1/rewards?gateway_address=${paid}`, undefined],
  ['/l1/rewards?transaction_hash=hash-z', 'transaction_hash=1'],
  ['/l1/transactions?transaction_hash=hash-a', undefined],
  [`/l1/transaction-actors?actor_address=${listed}`, undefined],
  ['/l1/transaction-actors?actor_address=account-z', 'actor_address=1'],
]

describe.each(['data files alone', 'what is derived'])('an empty reply from %s', (from) => {
  it.each(empty)('to %s has Ledgerlake-Unknown: %s', async (path, unknown) => {
    const { status, headers } = await (servers.get(from) as TestServer).get(path)
    expect([status, headers['ledgerlake-unknown']]).toEqual([200, unknown])
  })

  it.each([
    `${shares}?${days}&hotspot_key=${nobody}`,
    `${shares}/totals?${days}&hotspot_key=${nobody}`,
    `${shares}?${days}&hotspot_key=${nobody}&format=csv`,
    '/l2/hotspots?owner=owner-z',
  ])('has the same header and tag when it is confirmed by 304: %s', async (path) => {
    const { server } = servers.get(from) as TestServer
    const first = await server.inject(`/v1/net${path}`)
    const { etag, 'ledgerlake-unknown': unknown } = first.headers
    expect(unknown).toMatch(/^(hotspot_key|owner)=1$/)
    const held = await server.inject({ url: `/v1/net${path}`, headers: { 'if-none-match': String(etag) } })
    expect([held.statusCode, held.headers.etag, held.headers['ledgerlake-unknown']]).toEqual([
      304,
      etag,
      unknown,
    ])
  })
})

it('a response with rows has no Ledgerlake-Unknown, and needs no extra lookup', async () => {
  const test = servers.get('what is derived') as TestServer
  const before = test.engine.work()
  for (const path of [`${shares}?${days}&hotspot_key=${paid}`, '/l2/hotspots?owner=owner-b'])
    expect((await test.get(path)).headers['ledgerlake-unknown']).toBeUndefined()
  expect(test.engine.work()).toEqual(before)
})

it('an empty list has another tag once something has its key', async () => {
  const lake = await makeLake({
    'iot/iot_reward_share.1.gz': [iotReward('2025-01-02', 1, { beacon_amount: 5n })],
  })
  const path = `/v1/net${shares}?${days}&hotspot_key=${mobile}`
  const before = await buildTestServer(lake.folder)
  const first = await before.server.inject(path)
  expect(first.headers['ledgerlake-unknown']).toBe('hotspot_key=1')
  await lake.add({
    'mobile/mobile_reward_share.1.gz': [mobileReward('2025-01-02', 2, { dc_transfer_reward: 6n })],
  })
  const after = await buildTestServer(lake.folder)
  const headers = { 'if-none-match': String(first.headers.etag) }
  const second = await after.server.inject({ url: path, headers })
  expect([second.statusCode, second.headers['ledgerlake-unknown']]).toEqual([200, undefined])
})

describe('a series', () => {
  const metaOf = async (path: string) => {
    const { text, headers } = await (servers.get('what is derived') as TestServer).get(path)
    return [JSON.parse(text).meta.unknown, headers['ledgerlake-unknown']]
  }

  it('lists in meta.unknown the keys without any row, although others have rows', async () => {
    const keys = [paid, nobody, 'nonsense', listed, gateway].join(',')
    expect(await metaOf(`${series}&hotspot_key=${keys}`)).toEqual([
      { hotspot_key: [nobody, 'nonsense'] },
      'hotspot_key=2',
    ])
  })

  it('lists in meta.unknown an owner, a maker or an account without any row', async () => {
    expect(await metaOf(`${series}&owner=owner-z`)).toEqual([{ owner: ['owner-z'] }, 'owner=1'])
    expect(await metaOf(`${series}&maker_id=${none}`)).toEqual([{ maker_id: [none] }, 'maker_id=1'])
    expect(await metaOf('/l1/rewards/series?account_address=account-z')).toEqual([
      { account_address: ['account-z'] },
      'account_address=1',
    ])
    expect(await metaOf(`${series}&owner=owner-b`)).toEqual([null, undefined])
    expect(await metaOf(series)).toEqual([null, undefined])
  })

  it('of many keys lists neither spelling of a wallet if one of them has rows', async () => {
    const { server } = servers.get('data files alone') as TestServer
    const many = Array.from({ length: 20 }, (_, place) => `key${place}`)
    const payload = { hotspot_keys: [...wallet, ...many] }
    const reply = await server.inject({ method: 'POST', url: `/v1/net${series}`, payload })
    expect(reply.json().meta.unknown.hotspot_key).toEqual(many)
  })

  it('of ten thousand keys is estimated at more than a second of lookups', () => {
    const at = { table: () => ({ files: [] }) } as unknown as Snapshot
    const msOf = (count: number) => {
      const hotspotKeys = Array.from({ length: count }, (_, place) => `key${place}`)
      const request = { groupBy: null, limit: 1, hotspotKeys } as unknown as SeriesRequest
      return workOf('series', estimateLedgerSeries(l1Rewards, {}, request, at)).ms
    }
    expect(msOf(10_000) - msOf(0)).toBeCloseTo(1500)
  })

  it('of many keys finds the unknown ones by one statement for each table', async () => {
    const test = servers.get('data files alone') as TestServer
    const many = Array.from({ length: 3000 }, (_, place) => `key${place}`)
    const before = test.engine.work().statements
    const reply = await test.server.inject({
      method: 'POST',
      url: `/v1/net${series}`,
      payload: { hotspot_keys: [paid, ...many, listed, mobile, gateway] },
    })
    expect(reply.json().meta.unknown.hotspot_key).toEqual(many)
    expect(test.engine.work().statements - before).toBeLessThan(20)
  })
})

it('GraphQL lists unknown values in extensions.unknown by field and argument', async () => {
  const { server } = servers.get('what is derived') as TestServer
  const range = 'startPeriod: "2025-01-01", endPeriod: "2025-01-31"'
  const query = `{ a: iotRewardShares(${range}, hotspotKey: "${nobody}") { nodes { id } }
    b: iotRewardShares(${range}, hotspotKey: "${listed}") { nodes { id } }
    iotRewardShareSeries(from: "2025-01-01", to: "2025-01-31", hotspotKeys: ["${paid}", "x"]) { rows { earned } } }`
  const { text } = await askGraphql(server, query)
  const unknown: readonly { path: string }[] = JSON.parse(text).extensions.unknown
  expect([...unknown].sort((one, other) => (one.path < other.path ? -1 : 1))).toEqual([
    { path: 'a', argument: 'hotspotKey', values: [nobody] },
    { path: 'iotRewardShareSeries', argument: 'hotspotKey', values: ['x'] },
  ])
})

it('GraphQL lists types, modes and networks without any row in extensions.unknown', async () => {
  const { server } = servers.get('what is derived') as TestServer
  const range = 'startPeriod: "2025-01-01", endPeriod: "2025-01-31"'
  const query = `{ a: iotRewardShares(${range}, rewardType: "gateway") { nodes { id } }
    b: l1Rewards(type: "poc_witnesses") { nodes { id } }
    c: l1Gateways(mode: "FULL") { nodes { id } }
    d: hotspots(networks: "iot,smoke") { nodes { id } }
    e: hotspots(networks: "smoke,5g") { nodes { id } }
    f: l1Gateways(mode: "full", name: "old-red-gate") { nodes { id } }
    g: iotRewardShares(${range}, rewardType: "operational_reward") { nodes { id } } }`
  const { text } = await askGraphql(server, query)
  const unknown: readonly { path: string }[] = JSON.parse(text).extensions.unknown
  expect([...unknown].sort((one, other) => (one.path < other.path ? -1 : 1))).toEqual([
    { path: 'a', argument: 'rewardType', values: ['gateway'] },
    { path: 'b', argument: 'type', values: ['poc_witnesses'] },
    { path: 'c', argument: 'mode', values: ['FULL'] },
    { path: 'd', argument: 'networks', values: ['smoke'] },
    { path: 'e', argument: 'networks', values: ['smoke', '5g'] },
  ])
})

it('GraphQL lists an unknown owner of hotspots in extensions.unknown', async () => {
  const { server } = servers.get('what is derived') as TestServer
  const { text } = await askGraphql(server, '{ hotspots(first: 1, owner: "zz") { nodes { name } } }')
  expect(JSON.parse(text).extensions?.unknown).toEqual([
    { path: 'hotspots', argument: 'owner', values: ['zz'] },
  ])
})

it('a response with unknown values is not cacheable over a closed range, unless its snapshot is named', async () => {
  const test = servers.get('what is derived') as TestServer
  const range = 'from=2024-01-01&to=2024-02-01'
  for (const path of [
    `${shares}?${range}&hotspot_key=${nobody}`,
    `${shares}/totals?${range}&hotspot_key=${nobody}`,
    `${shares}/totals/series?${range}&hotspot_key=${paid},x`,
    `${shares}/totals/series?${range}&hotspot_key=Brave%20Blue%20Heron`,
  ]) {
    const { headers } = await test.get(path)
    const pinned = await test.get(`${path}&as_of=${headers['ledgerlake-snapshot']}`)
    expect([headers['cache-control'], pinned.headers['cache-control']], path).toEqual([
      'public, no-cache',
      'public, max-age=86400',
    ])
  }
})

it('MCP lists unknown values in unknown', async () => {
  const { server } = servers.get('what is derived') as TestServer
  const { call: callTool } = await mcpOver(server)
  const range = { from: '2025-01-01', to: '2025-01-31' }
  const call = async (tool: string, given: object) =>
    JSON.parse((await callTool(tool, { resource: 'iot_reward_shares', ...range, ...given })).text)
  expect((await call('list', { hotspot_key: nobody })).unknown).toEqual({ hotspot_key: [nobody] })
  expect((await call('totals', { hotspot_key: nobody })).unknown).toEqual({ hotspot_key: [nobody] })
  expect((await call('totals', { hotspot_key: listed })).unknown).toBeUndefined()
  expect((await call('series', { hotspot_key: `${paid},x` })).answer.meta.unknown).toEqual({
    hotspot_key: ['x'],
  })
})

describe('a key', () => {
  const path = `/v1/net${shares}?from=2025-01-01&to=2025-06-01&hotspot_key=`

  it('gets the same Ledgerlake-Unknown for a hotspot paid before its look-back as for an unknown hotspot', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2025-05-01T12:00:00Z') })
    const lake = await makeLake({
      'iot/iot_reward_share.1.gz': [iotReward('2025-01-02', 1, { beacon_amount: 5n })],
    })
    const { ask, newKey } = await gatedServer(lake.folder)
    const [all, some] = [await newKey({}), await newKey({ lookbackDays: 30 })]
    const told = async (key: string, of: string) => (await ask(path + of, key)).headers['ledgerlake-unknown']
    expect([await told(all, paid), await told(all, nobody)]).toEqual([undefined, 'hotspot_key=1'])
    expect([await told(some, paid), await told(some, nobody)]).toEqual(['hotspot_key=1', 'hotspot_key=1'])
  })

  it('without the feature of the first ledger gets Ledgerlake-Unknown for a key of that ledger', async () => {
    const { ask, newKey } = await gatedServer(made.folder)
    const [all, some] = [await newKey({}), await newKey({ features: ['OracleData', 'Aggregates'] })]
    const told = async (key: string) => (await ask(path + gateway, key)).headers['ledgerlake-unknown']
    expect([await told(all), await told(some)]).toEqual([undefined, 'hotspot_key=1'])
  })
})
