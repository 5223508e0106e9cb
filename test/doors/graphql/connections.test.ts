import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { iotRewardShares } from '../../../src/catalog/l2/iot-reward-shares.ts'
import { compileEncoder } from '../../../src/write/sample/encoding/encode-message.ts'
import { openRandom } from '../../../src/write/sample/random.ts'
import type { WitnessReport } from '../../../src/write/sample/witness-reports.ts'
import { iotWitnessIngestReportFields } from '../../../src/write/wire/messages/iot-witness-ingest-report.ts'
import { engines } from '../../support/engines.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { deriveBlocks } from '../../support/lakes/derive-all.ts'
import { at, hotspot, iotReward, makeLake, writeOracleFiles } from '../../support/lakes/make-lake.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { askConnection, askGraphql, type Connection } from '../../support/servers/ask-graphql.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { idAt } from '../../support/tables/snapshot-ids.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { scaled } from '../../support/tier.ts'

interface Node extends Readonly<Record<string, unknown>> {
  readonly id: string
}

const encodeReport = compileEncoder<WitnessReport>(iotWitnessIngestReportFields)

const share = (day: string, number: number, amount = 1n) => iotReward(day, number, { beacon_amount: amount })

/** Cursors and ids of a whole list. */
async function walk(
  server: TestServer,
  query: string,
  given: string,
): Promise<readonly (readonly [cursor: string, id: string])[]> {
  const all: (readonly [string, string])[] = []
  for (let after = ''; ; ) {
    const { edges, pageInfo } = await askConnection<Node>(
      server.server,
      `${query}(${given} first: 100, after: "${after}")`,
      'id',
    )
    all.push(...edges.map((edge) => [edge.cursor, edge.node.id] as const))
    if (!pageInfo.hasNextPage || pageInfo.endCursor === null) return all
    if (all.length > 100_000) throw new Error('the walk goes round in a circle')
    after = pageInfo.endCursor
  }
}

interface Asked {
  readonly first: number | undefined
  readonly last: number | undefined
  readonly after: number | undefined
  readonly before: number | undefined
}

/** What a request means, by slicing the whole list; cursors are given as positions in it. */
function sliced(all: readonly string[], { first, last, after, before }: Asked) {
  const low = after === undefined ? 0 : after + 1
  const high = Math.max(low, before ?? all.length)
  const most = first ?? (last === undefined ? 100 : undefined)
  const end = most === undefined ? high : Math.min(high, low + Math.min(100, most))
  const start = last === undefined ? low : Math.max(low, end - Math.min(100, last))
  return {
    ids: all.slice(start, end),
    hasNextPage: end > start && end < all.length,
    hasPreviousPage: end > start ? start > 0 : after !== undefined,
  }
}

const [[, embedded], ...others] = engines

describe.each([
  ['the embedded engine', embedded, 'a commit for each file', false],
  ['row indexes of many files', embedded, 'a commit for each file', true],
  ...scaled([], [['row indexes', embedded, 'in one commit', true] as const]),
  ...others
    .slice(0, scaled(0, 1))
    .map(([name, around]) => [name, around, 'a commit for each file', false] as const),
] as const)('a range of a list from %s', (_, around, commits, isBlocked) => {
  let server: TestServer

  beforeAll(async () => {
    const lake = await smallLake(commits)
    if (isBlocked) await deriveBlocks(lake)
    server = await buildTestServer(lake, undefined, around)
  })

  const ranges = [
    ['counted by the log', 'iotRewardShares', ''],
    ['counted by the log, over several types', 'mobileRewardShares', ''],
    ['of one type', 'mobileRewardShares', 'rewardType: "radio_reward_v2",'],
    [
      'of one type and a time range',
      'iotRewardShares',
      'rewardType: "gateway_reward", startPeriod: "2025-01-30", endPeriod: "2025-01-31",',
    ],
    ['of one hotspot', 'iotRewardShares', 'hotspotKey: "HOTSPOT",'],
    ['that nobody has', 'iotRewardShares', 'hotspotKey: "nobody",'],
    ['newest first', 'iotWitnessIngestReports', ''],
    ['of manifests', 'rewardManifests', 'startTimestamp: "2025-01-29", endTimestamp: "2025-02-01",'],
    ['of the ledger', 'l1Rewards', ''],
    ['of one actor', 'l1TransactionActors', 'actorAddress: "ACTOR",'],
    ['of transactions by their blocks', 'l1Transactions', ''],
    ['of hotspots', 'hotspots', ''],
  ] as const

  it.each(ranges.filter((_, place) => place % scaled(isBlocked ? 2 : 1, 1) === 0))(
    '%s equals a slice of the whole list, for random requests',
    async (_, query, words) => {
      const [some] = (await askConnection<Node>(server.server, 'iotRewardShares(first: 1)', 'id hotspotKey'))
        .nodes
      const [actor] = (
        await askConnection<Node>(server.server, 'l1TransactionActors(first: 1)', 'id actorAddress')
      ).nodes
      const given = words
        .replace('HOTSPOT', String(some?.hotspotKey))
        .replace('ACTOR', String(actor?.actorAddress))
      const all = await walk(server, query, given)
      expect(new Set(all.map(([, id]) => id)).size).toBe(all.length)
      if (!words.includes('nobody')) expect(all.length).toBeGreaterThan(3)
      const random = openRandom([2, 7, query.length + words.length])
      const maybe = (value: () => number) => (random.below(3) === 0 ? undefined : value())
      const place = () => maybe(() => random.below(Math.max(1, all.length)))
      for (let round = 0; round < scaled(4, 30); round += 1) {
        const size = () => maybe(() => random.below(5) * random.below(40))
        const asked: Asked = {
          first: size(),
          last: size(),
          after: all.length === 0 ? undefined : place(),
          before: all.length === 0 ? undefined : place(),
        }
        const list = [
          ...(asked.first === undefined ? [] : [`first: ${asked.first}`]),
          ...(asked.last === undefined ? [] : [`last: ${asked.last}`]),
          ...(asked.after === undefined ? [] : [`after: "${all[asked.after]?.[0]}"`]),
          ...(asked.before === undefined ? [] : [`before: "${all[asked.before]?.[0]}"`]),
        ]
        const call = `${query}(${given} ${list.length === 0 ? 'first: null' : list.join(', ')})`
        const found = await askConnection<Node>(server.server, call, 'id')
        const expected = sliced(
          all.map(([, id]) => id),
          asked,
        )
        const { pageInfo } = found
        expect([call, found.nodes.map((node) => node.id)]).toEqual([call, expected.ids])
        expect([call, pageInfo.hasNextPage, pageInfo.hasPreviousPage]).toEqual([
          call,
          expected.hasNextPage,
          expected.hasPreviousPage,
        ])
        expect(pageInfo.startCursor).toBe(found.edges[0]?.cursor ?? null)
        expect(pageInfo.endCursor).toBe(found.edges.at(-1)?.cursor ?? null)
      }
    },
  )

  it('has at most 100 rows, and 100 by default', async () => {
    for (const call of [
      'mobileRewardShares',
      'mobileRewardShares(first: 5000)',
      'mobileRewardShares(last: 101)',
    ]) {
      expect((await askConnection(server.server, call, 'id')).nodes).toHaveLength(100)
    }
  })
})

describe('a connection over four rows', () => {
  let server: TestServer
  let all: Awaited<ReturnType<typeof walk>>

  beforeAll(async () => {
    const lake = await makeLake({
      'iot/iot_reward_share.1.gz': [1, 2, 3, 4].map((number) => share('2025-01-10', number)),
    })
    server = await buildTestServer(lake.folder)
    all = await walk(server, 'iotRewardShares', '')
  })

  it.each([
    ['', 4, false, false],
    ['first: 2', 2, true, false],
    ['first: 2, after: "SECOND"', 2, false, true],
    ['last: 2', 2, false, true],
    ['last: 2, before: "THIRD"', 2, true, false],
    ['first: 0', 0, false, false],
    ['first: 3, last: 1', 1, true, true],
    ['first: 2, after: "FOURTH"', 0, false, true],
  ])(
    'with (%s) has %i edges, hasNextPage %s and hasPreviousPage %s',
    async (given, count, next, previous) => {
      const written = given
        .replace('SECOND', all[1]?.[0] ?? '')
        .replace('THIRD', all[2]?.[0] ?? '')
        .replace('FOURTH', all[3]?.[0] ?? '')
      const { edges, pageInfo } = await askConnection(
        server.server,
        `iotRewardShares(${written || 'first: null'})`,
        'id',
      )
      expect([edges.length, pageInfo.hasNextPage, pageInfo.hasPreviousPage]).toEqual([count, next, previous])
    },
  )
})

describe('a cursor', () => {
  it('means the same position after commits add rows before and after it', async () => {
    const lake = await makeLake({
      'iot/iot_reward_share.5.gz': [1, 2, 3, 4].map((number) => share('2025-01-10', number)),
    })
    const ask = async (given: string): Promise<Connection<Node>> => {
      const server = await buildTestServer(lake.folder)
      const found = await askConnection<Node>(
        server.server,
        `iotRewardShares(${given})`,
        'id hotspotKey endPeriod',
      )
      await server.close()
      return found
    }
    const before = await ask('first: 2')
    const cursor = before.pageInfo.endCursor
    const rest = await ask(`after: "${cursor}"`)
    await lake.add({
      'iot/iot_reward_share.4.gz': [5, 6].map((number) => share('2025-01-10', number)),
      'iot/iot_reward_share.6.gz': [7].map((number) => share('2025-01-10', number)),
      'iot/iot_reward_share.7.gz': [8, 9].map((number) => share('2025-01-09', number)),
      'iot/iot_reward_share.8.gz': [10].map((number) => share('2025-02-11', number)),
    })
    const after = await ask(`after: "${cursor}"`)
    const added = [hotspot(7).text, hotspot(10).text]
    expect(after.nodes.slice(0, 2)).toEqual(rest.nodes)
    expect(after.nodes.slice(2).map((node) => node.hotspotKey)).toEqual(added)
    const backwards = await ask(`before: "${cursor}"`)
    const earlier = [
      ...[8, 9].map((number) => hotspot(number).text),
      ...[5, 6].map((number) => hotspot(number).text),
    ]
    expect(backwards.nodes.map((node) => node.hotspotKey)).toEqual([...earlier, before.nodes[0]?.hotspotKey])
  })

  it('continues in the snapshot of as_of after a later ingest', async () => {
    const lake = await makeLake({
      'iot/iot_reward_share.5.gz': [1, 2, 3, 4].map((number) => share('2025-01-10', number)),
    })
    await lake.add({ 'iot/iot_reward_share.6.gz': [5].map((number) => share('2025-01-11', number)) })
    const server = await buildTestServer(lake.folder)
    const ask = async (query: string, asOf: string) =>
      await server.server.inject({ method: 'POST', url: `/graphql?as_of=${asOf}`, payload: { query } })
    const all = '{ iotRewardShares { nodes { hotspotKey } } }'
    const [older, newest] = [
      await ask(all, await idAt(lake.folder, iotRewardShares, 0)),
      await ask(all, await idAt(lake.folder, iotRewardShares, 1)),
    ]
    expect(older.headers['ledgerlake-snapshot']).toMatch(/^ooc0-/)
    expect(older.body.match(/hotspotKey/g)).toHaveLength(4)
    expect(newest.body.match(/hotspotKey/g)).toHaveLength(5)
    const persisted = await server.server.inject({
      url: `/graphql/iot-reward-shares?as_of=${older.headers['ledgerlake-snapshot']}`,
    })
    expect(persisted.body.match(/hotspotKey/g)).toHaveLength(4)
    for (const query of [all, '{ status }', '{ __schema { queryType { name } } }']) {
      const refused = await ask(query, '2')
      expect([query, refused.statusCode]).toEqual([query, 400])
      expect(refused.body).toContain('as_of is \\"2\\"; use an id from the header Ledgerlake-Snapshot,')
    }
    expect(
      (await ask('{ status }', await idAt(lake.folder, iotRewardShares, 0))).headers['ledgerlake-snapshot'],
    ).toMatch(/^ooc0-/)
  })

  it('stays valid after its row was removed', async () => {
    const folder = await temporaryFolder()
    const lake = await makeLake({
      'iot/iot_reward_share.1.gz': [1, 2].map((number) => share('2025-01-10', number)),
      'iot/iot_reward_share.2.gz': [3, 4].map((number) => share('2025-01-10', number)),
    })
    const first = await buildTestServer(lake.folder)
    const all = await walk(first, 'iotRewardShares', '')
    await first.close()
    await writeOracleFiles(folder, { 'iot/iot_reward_share.1.gz': [share('2025-01-08', 9)] })
    expect(await ingestInto(lake.folder, [folder], { replace: true })).toMatchObject({
      stored: 1,
      failed: [],
    })
    const second = await buildTestServer(lake.folder)
    for (const [cursor] of all.slice(0, 2)) {
      const { nodes } = await askConnection<Node>(second.server, `iotRewardShares(after: "${cursor}")`, 'id')
      expect(nodes.map((node) => node.id)).toEqual(all.slice(2).map(([, id]) => id))
    }
  })
})

describe('witness reports with the same time', () => {
  const report = (number: number) =>
    encodeReport({
      received_at: at('2025-01-10T00:00:00Z'),
      hotspot_key: hotspot(number % 3).raw,
      data: Buffer.of(number),
      reported_ns: 1_736_467_200_123_456_789n,
      tmst: BigInt(number),
      signal: -900,
      snr: -3,
      frequency: 868_100_000n,
      data_rate: 'SF7BW125',
      signature: Buffer.of(1),
    })
  const reports = (count: number) => Array.from({ length: count }, (_, number) => report(number))

  it('are each visited once, forward and backward, over several commits', async () => {
    const lake = await makeLake({ 'w/iot_witness_ingest_report.1.gz': reports(120) })
    await lake.add({ 'w/iot_witness_ingest_report.2.gz': reports(110) })
    await lake.add({ 'w/iot_witness_ingest_report.10.gz': reports(5) })
    const server = await buildTestServer(lake.folder)
    const ask = async (given: string) =>
      await askConnection<Node>(server.server, `iotWitnessIngestReports(${given})`, 'id receivedAt')
    const onward: string[] = []
    for (let after: string | null = ''; after !== null; ) {
      const { nodes, pageInfo } = await ask(`first: ${scaled(57, 19)}, after: "${after}"`)
      onward.push(...nodes.map((node) => node.id))
      after = pageInfo.hasNextPage ? pageInfo.endCursor : null
    }
    const backward: string[] = []
    for (let before: string | null = ''; before !== null; ) {
      const { nodes, pageInfo } = await ask(`last: ${scaled(78, 26)}, before: "${before}"`)
      backward.unshift(...nodes.map((node) => node.id))
      before = pageInfo.hasPreviousPage ? pageInfo.startCursor : null
    }
    expect(new Set(onward).size).toBe(235)
    expect(onward).toHaveLength(235)
    expect(backward).toEqual(onward)
  })
})

describe('with row indexes', () => {
  let server: TestServer

  beforeAll(async () => {
    server = await buildTestServer(await smallLake('with all indexes'))
  })

  it.each([
    ['iotRewardShares', 'startPeriod: "2025-01-30",'],
    ['mobileRewardShares', 'rewardType: "radio_reward_v2",'],
    ['l1Rewards', ''],
    ['l1Transactions', ''],
    ['hotspots', ''],
  ])('%s needs no statement after any cursor', async (query, filters) => {
    const list = async (given: string) =>
      await askConnection<Node>(server.server, `${query}(${filters} ${given})`, 'id')
    const { nodes, edges } = await list('first: 10')
    const [place, work] = [edges[4]?.cursor, server.engine.work()]
    for (const given of [`first: 3, after: "${place}"`, `last: 3, before: "${place}"`, 'last: 3'])
      expect((await list(given)).nodes).toHaveLength(3)
    expect(server.engine.work()).toEqual(work)
    expect((await list(`first: 3, after: "${place}"`)).nodes).toEqual(nodes.slice(5, 8))
    const url = `/graphql?query=${encodeURIComponent(`{ ${query}(first: 3) { nodes { id } } }`)}`
    const { headers } = await server.server.inject({ url })
    expect(headers['server-timing']).toMatch(/desc="index"$/)
  })

  it('a list is read by the engine when blocks turn out to be damaged', async () => {
    const lake = await smallLake('with all indexes')
    const folder = join(lake, '_state', 'index', 'l1_rewards')
    for (const name of readdirSync(folder)) {
      const bytes = readFileSync(join(folder, name))
      bytes.fill(0, 16, bytes.length >> 1)
      writeFileSync(join(folder, name), bytes)
    }
    const damaged = await buildTestServer(lake)
    const [own, expected] = await Promise.all(
      [damaged, server].map(async (one) => (await askConnection<Node>(one.server, 'l1Rewards', 'id')).nodes),
    )
    expect(damaged.engine.work().statements).toBeGreaterThan(0)
    expect(own).toEqual(expected)
  })
})

describe('the work of a query', () => {
  let server: TestServer

  beforeAll(async () => {
    const lake = await makeLake({
      'iot/iot_reward_share.1.gz': Array.from({ length: 300 }, (_, number) => share('2025-01-10', number)),
      'iot/iot_reward_share.2.gz': Array.from({ length: 300 }, (_, number) => share('2025-02-10', number)),
    })
    server = await buildTestServer(lake.folder)
  })

  async function workOf(query: string) {
    const before = server.engine.work()
    const { errors } = await askGraphql(server.server, query)
    expect(errors).toEqual([])
    const after = server.engine.work()
    return {
      statements: after.statements - before.statements,
      files: after.files - before.files,
      columns: after.columns - before.columns,
    }
  }

  it.each([
    ['one field', '{ iotRewardShares(first: 10) { nodes { beaconAmount } } }', 1],
    [
      'a field asked for twice',
      '{ iotRewardShares(first: 10) { nodes { a: beaconAmount b: beaconAmount } edges { node { beaconAmount } } } }',
      1,
    ],
    [
      'two fields, by a fragment',
      'fragment F on IotRewardShare { amount hotspotKey } { iotRewardShares(first: 10) { nodes { ...F } } }',
      2,
    ],
    [
      'a field left out by a directive',
      '{ iotRewardShares(first: 10) { nodes { amount hotspotKey @skip(if: true) } } }',
      1,
    ],
    ['the ordinal for an id', '{ iotRewardShares(first: 10) { nodes { id } } }', 1],
    [
      'nothing for what the log tells',
      '{ iotRewardShares(first: 10) { nodes { endPeriod rewardType } } }',
      0,
    ],
    [
      'what the log does not tell of the order, for a cursor',
      '{ iotRewardShares(first: 10) { nodes { amount } pageInfo { endCursor } } }',
      3,
    ],
    [
      'what the variants need',
      '{ iotRewardShares(first: 10) { nodes { rewardDetail { ... on IotOperationalRewardDetail { amount } } } } }',
      1,
    ],
    [
      'nothing for what follows from the count alone',
      '{ iotRewardShares(first: 10) { pageInfo { hasNextPage } } }',
      0,
    ],
  ])('reads only %s', async (_, query, columns) => {
    expect((await workOf(query)).columns).toBe(columns)
  })

  it('is computed for 60 nested fragments that double each other, and for no rows', async () => {
    const doubled = Array.from(
      { length: 60 },
      (_, index) => `fragment f${index} on IotRewardShare { ...f${index + 1} ...f${index + 1} }`,
    )
    expect(
      await workOf(
        `{ iotRewardShares(first: 0) { nodes { ...f0 } } } ${doubled.join(' ')} fragment f60 on IotRewardShare { amount }`,
      ),
    ).toMatchObject({ columns: expect.any(Number) })
  })

  it.each(['constructor', 'toString', 'valueOf', '__proto__', 'hasOwnProperty'])(
    'is the same if fields have the alias %s',
    async (alias) => {
      const plain = await askGraphql(
        server.server,
        '{ iotRewardShares(first: 1) { nodes { hotspotKey } pageInfo { endCursor } } }',
      )
      const renamed = await askGraphql(
        server.server,
        `{ ${alias}: iotRewardShares(first: 1) { ${alias}: nodes { ${alias}: hotspotKey } pageInfo { ${alias}: endCursor } } }`,
      )
      expect(renamed.text).toBe(
        plain.text.replaceAll(/"(iotRewardShares|nodes|hotspotKey|endCursor)"/g, `"${alias}"`),
      )
    },
  )

  it('is one statement over one file for the first and the last page, and one count more in between', async () => {
    expect(
      await workOf(
        '{ iotRewardShares(first: 10) { nodes { amount } pageInfo { hasNextPage hasPreviousPage } } }',
      ),
    ).toMatchObject({ statements: 1, files: 1 })
    expect(await workOf('{ iotRewardShares(last: 10) { nodes { amount } } }')).toMatchObject({
      statements: 1,
      files: 1,
    })
    const { startCursor } = (await askConnection(server.server, 'iotRewardShares(last: 100)', 'id')).pageInfo
    expect(
      await workOf(`{ iotRewardShares(first: 10, after: "${startCursor}") { nodes { amount } } }`),
    ).toEqual({ statements: 2, files: 2, columns: 1 })
  })

  it('is one search for a pageInfo flag, however many aliases it has', async () => {
    const { endCursor } = (await askConnection(server.server, 'iotRewardShares(first: 1)', 'id')).pageInfo
    const workWith = async (flags: string) =>
      await workOf(
        `{ iotRewardShares(first: 1, after: "${endCursor}", hotspotKey: "nobody") { pageInfo { ${flags} } } }`,
      )
    expect(await workWith('a: hasPreviousPage b: hasPreviousPage c: hasPreviousPage')).toEqual(
      await workWith('hasPreviousPage'),
    )
  })

  it('is none for status and echo', async () => {
    expect(await workOf('{ status echo(message: "x") }')).toEqual({ statements: 0, files: 0, columns: 0 })
  })
})
