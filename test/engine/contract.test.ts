import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { Value } from '../../src/catalog/column.ts'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import { iotWitnessIngestReports } from '../../src/catalog/l2/iot-witness-ingest-reports.ts'
import { mobileRewardShares } from '../../src/catalog/l2/mobile-reward-shares.ts'
import { rewardManifests } from '../../src/catalog/l2/reward-manifests.ts'
import { rejects } from '../../src/catalog/lake/rejects.ts'
import { amountColumns, type Resource, type Row } from '../../src/catalog/resource.ts'
import { openDuckdbEngine } from '../../src/engine/duckdb/duckdb-engine.ts'
import {
  type ChunkCount,
  type Engine,
  MOST_BATCH_ROWS,
  type PlacedReads,
  type SumGroup,
} from '../../src/engine/engine.ts'
import { openMemoryEngine } from '../../src/engine/memory/memory-engine.ts'
import { openHotspotIndex } from '../../src/hotspot-index/hotspot-index.ts'
import { Lake } from '../../src/lake/lake.ts'
import type { Snapshot } from '../../src/lake/snapshot.ts'
import type { CountPlan, ListPlan, Predicate, RowRange, RowsPlan, SumsPlan } from '../../src/query/plan.ts'
import { toPlacedPlan } from '../../src/query/to-plan.ts'
import { manifestReader } from '../../src/repository/manifests.ts'
import { openOffloadedBytes } from '../../src/repository/offloaded-bytes.ts'
import { openRepository } from '../../src/repository/repository.ts'
import { openRandom } from '../../src/sample/random.ts'
import { openSortedCopies } from '../../src/sorted-copies/sorted-copies.ts'
import { ingestInto } from '../support/build-lake.ts'
import { readExactRows } from '../support/delta-table.ts'
import { smallNetwork } from '../support/fixtures.ts'
import {
  at,
  dayBefore,
  hotspot,
  iotShare,
  makeLake,
  manifest,
  mobileShare,
  writeOracleFiles,
} from '../support/make-lake.ts'
import { readRows } from '../support/read-rows.ts'
import { copySmallLake } from '../support/small-lake.ts'
import { openWriter } from '../support/store-made-up.ts'
import { makeFolder } from '../support/temporary-folder.ts'
import { scaled } from '../support/tier.ts'

const most = 2n ** 64n - 1n
const MINUTE = 60_000_000n

interface World {
  readonly lake: string
  readonly at: Snapshot
  readonly rowsOf: (resource: Resource) => readonly Row[]
}

interface OpenedBy {
  readonly name: string
  /** Whether it reads by file and row number. */
  readonly isPlaced: boolean
  /** Whether it tells what it read for the sake of a signal. */
  readonly tellsWork: boolean
  open(world: World): Promise<Engine>
}

/** Every engine of the project: a new one takes its place here. */
const engines: readonly OpenedBy[] = [
  {
    name: 'duckdb',
    isPlaced: true,
    tellsWork: true,
    open: ({ lake }) =>
      openDuckdbEngine({
        folders: [lake],
        spillFolder: join(lake, '_state', 'spill'),
        memoryMb: 256,
        threads: 2,
        connections: 2,
      }),
  },
  {
    name: 'memory',
    isPlaced: false,
    tellsWork: false,
    open: async ({ rowsOf }) => openMemoryEngine(rowsOf),
  },
]

/** Made-up shares over three months with the values that hurt: edges of 64 bits, nulls, texts beyond ASCII. */
async function writeAwkwardFiles(folder: string): Promise<void> {
  const random = openRandom([3, 1, 4])
  const pick = <T>(values: readonly T[]): T => values[random.below(values.length)] as T
  const amounts = [
    0n,
    1n,
    3n,
    2n ** 31n,
    2n ** 53n - 1n,
    2n ** 53n + 1n,
    2n ** 63n - 1n,
    2n ** 63n,
    most - 1n,
    most,
  ]
  const texts = ['', 'a', 'B', 'é', 'P27-SCE4255W', '\uffff', '\u{1d11e}', "'; --", 'Zz', '%', 'a\nb']
  const decimals = [
    '0',
    '1',
    '9',
    '10',
    '-10',
    '-9',
    '0.5',
    '123.456',
    '99999999999999999999.9',
    '0.0000000000000000001',
  ]
  const objects = [new Uint8Array(0), Buffer.alloc(16), Buffer.alloc(16, 255), Buffer.from('00ff80', 'hex')]
  const period = () => dayBefore(pick(['2024-12-31', '2025-01-01', '2025-01-15', '2025-02-01', '2025-02-28']))

  const mobile = () =>
    Array.from({ length: 400 }, () => {
      const hotspot_key = hotspot(random.below(12)).raw
      const reward_type = pick(['gateway_reward', 'radio_reward', 'radio_reward_v2', 'promotion_reward'])
      return mobileShare({
        ...period(),
        reward_type,
        hotspot_key,
        cbsd_id: pick(texts),
        entity: pick(texts),
        dc_transfer_reward: pick(amounts),
        poc_reward: pick(amounts),
        price: pick(amounts),
        service_provider_amount: pick(amounts),
        matched_amount: pick(amounts),
        base_reward_shares: pick(decimals),
        speedtest_multiplier: pick(decimals),
        seniority_timestamp: pick([null, at('2025-01-01T00:00:00Z'), at('2025-01-01T00:00:01Z')]),
        coverage_object: pick(objects),
      })
    })
  const iot = Array.from({ length: 300 }, () =>
    iotShare({
      ...period(),
      reward_type: pick(['gateway_reward', 'operational_reward', 'unallocated_reward']),
      hotspot_key: hotspot(random.below(12)).raw,
      beacon_amount: pick(amounts),
      witness_amount: pick(amounts),
      amount: pick(amounts),
      unallocated_reward_type: pick(['unallocated_reward_type_poc', 'unallocated_reward_type_data', '77']),
    }),
  )
  await writeOracleFiles(folder, {
    'mobile/mobile_reward_share.1.gz': mobile(),
    'mobile/mobile_reward_share.2.gz': mobile(),
    'mobile/mobile_reward_share.3.gz': mobile(),
    'iot/iot_reward_share.1.gz': iot,
    'mobile/reward_manifest.5.gz': [
      manifest({ written_files: ['mobile_reward_share.1.gz'], token: 'mobile_reward_token_main', price: 7n }),
    ],
  })
}

const prices: ReadonlyMap<string, bigint> = new Map([
  ['mobile_reward_share.1.gz', 7n],
  ['mobile_reward_share.2.gz', 2n ** 32n],
  ['mobile_reward_share.1738110600094.gz', 71_557n],
  ['a file that is not there.gz', 1n],
])

let world: World
/** One file of more rows than a batch has. */
let manyWorld: World
const ROWS = 5000
let remove: () => Promise<void>

beforeAll(async () => {
  const made = await makeFolder()
  remove = made.remove
  const [input, lake] = [join(made.folder, 'input'), join(made.folder, 'lake')]
  await writeAwkwardFiles(input)
  // Several commits, so that the rows of one period lie in several files.
  await copySmallLake(lake)
  await ingestInto(lake, [input], { commitRows: 1 })
  const sets = [await readRows(smallNetwork), await readRows(input)]
  world = {
    lake,
    at: await new Lake(lake).latest(),
    rowsOf: (resource) => sets.flatMap((rowsOf) => rowsOf(resource)),
  }
})

beforeAll(async () => {
  const shares = Array.from({ length: ROWS }, (_, index) =>
    iotShare({
      ...dayBefore('2025-01-10'),
      reward_type: 'gateway_reward',
      hotspot_key: hotspot(index % 7).raw,
      beacon_amount: BigInt(index),
    }),
  )
  const made = await makeLake({ 'iot/iot_reward_share.1.gz': shares })
  const lake = made.folder
  manyWorld = { lake, at: await new Lake(lake).latest(), rowsOf: await readRows(made.input) }
  return made.remove
})

afterAll(() => remove())

const allColumns = (resource: Resource) => Object.keys(resource.columns)

function rowsPlan(resource: Resource, more: Partial<RowsPlan> = {}): RowsPlan {
  return { resource, where: [], columns: allColumns(resource), limit: 100_000, offset: 0, ...more }
}

function sumsPlan(resource: Resource, more: Partial<SumsPlan> = {}): SumsPlan {
  const sums = Object.fromEntries(
    amountColumns(resource).map((column) => [column, { column, as: 'amount' } as const]),
  )
  return { resource, where: [], sums, groupBy: [], prices: new Map(), ...more }
}

const equals = (column: string, value: NonNullable<Value>): Predicate => ({ column, match: 'equals', value })
const atLeast = (column: string, value: NonNullable<Value>): Predicate => ({
  column,
  match: 'atLeast',
  value,
})
const atMost = (column: string, value: NonNullable<Value>): Predicate => ({ column, match: 'atMost', value })

/** Values that compare the same wherever they come from: bytes as hex. */
function plainRow(row: Row): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value instanceof Uint8Array ? `0x${Buffer.from(value).toString('hex')}` : value,
    ]),
  )
}

const plainRows = (rows: readonly Row[]) => rows.map(plainRow)

/** Groups come in any order. */
function plainGroups(groups: readonly SumGroup[]): string[] {
  const text = (value: object) =>
    Object.entries(value)
      .map(([name, part]) => `${name}=${part === null ? 'null' : `${typeof part} ${part}`}`)
      .sort()
      .join(' ')
  return groups.map(({ group, sums }) => `${text(group)}: ${text(sums)}`).sort()
}

const places = (rows: readonly Row[]) => rows.map((row) => `${row.source_file} ${row.ordinal}`)

/** Methods that answer from the lake. */
type Question = Exclude<keyof Engine, 'rowBatches' | 'placed' | 'workFor' | 'close'>

interface FileRows {
  readonly path: string
  readonly rows: readonly Row[]
}

/** Two files of a month in which several periods end, and their rows as another reader finds them. */
async function twoFiles(): Promise<readonly [FileRows, FileRows]> {
  const { files } = world.at.table(mobileRewardShares)
  const [first, second] = files
    .filter(({ partition, rows }) => partition === '2025-01' && rows > 100)
    .slice(-2)
  if (first === undefined || second === undefined) throw new Error('there are no two files of many shares')
  const read = async (path: string) => ({ path, rows: await readExactRows(path) })
  return [await read(first.path), await read(second.path)]
}

/** The rows of a file of mobile shares as they lie in it, told by another reader. */
async function rowsIn(path: string): Promise<readonly Row[]> {
  const known = new Map(world.rowsOf(mobileRewardShares).map((row) => [String(places([row])), row]))
  const identities = await readExactRows(path, ['source_file', 'ordinal'])
  return identities.map((row) => known.get(String(places([row]))) ?? {})
}

/** Chunks come in any order. */
const plainCounts = (counts: readonly ChunkCount[]) =>
  counts.map(({ file, first, rows }) => `${file} ${first}: ${rows}`).sort()

const random = openRandom([2, 7, 1])
const pick = <T>(values: readonly T[]): T => values[random.below(values.length)] as T
const some = <T>(values: readonly T[]): readonly T[] => values.filter(() => random.chance(0.3))

/** Filters over values that rows have, their neighbours, and values that nobody has. */
function randomWhere(resource: Resource): readonly Predicate[] {
  const rows = world.rowsOf(resource)
  const kinds = ['text', 'choice', 'amount', 'long', 'integer', 'instant']
  const columns = Object.entries(resource.columns).filter(([, column]) => kinds.includes(column.kind))
  return Array.from({ length: random.below(4) }, (): Predicate => {
    const [column] = pick(columns)
    const known = pick(rows)[column] ?? pick(rows)[column] ?? null
    const match = pick(['equals', 'atLeast', 'atMost'] as const)
    const { kind } = resource.columns[column] ?? {}
    if (kind === 'text' || kind === 'choice') return { column, match, value: (known ?? 'nobody') as string }
    if (kind === 'integer') return { column, match, value: ((known ?? 0) as number) + random.below(3) - 1 }
    const near = ((known ?? 5n) as bigint) + BigInt(random.below(3) - 1)
    const top = kind === 'amount' ? most : 2n ** 62n
    return { column, match, value: near < 0n ? 0n : near > top ? top : near }
  })
}

/** Requests for each table. */
const ROUNDS = scaled(10, 300)

const isGateway = (row: Row) => row.reward_type === 'gateway_reward'

describe.each(engines.map((engine) => [engine.name, engine] as const))(
  '%s',
  (_, { open, isPlaced, tellsWork }) => {
    let engine: Engine
    let many: Engine

    beforeAll(async () => {
      engine = await open(world)
      many = await open(manyWorld)
    })

    afterAll(async () => {
      await engine.close()
      await many.close()
    })

    /** The cases of each method of the port: without an entry for every one of them this does not compile. */
    const cases: Readonly<Record<keyof Engine, () => void>> = {
      rows() {
        it.each(
          [iotRewardShares, mobileRewardShares, rewardManifests, iotWitnessIngestReports].map((r) => [
            r.name,
            r,
          ]),
        )('of %s are all there with every value as it was read', async (_, resource) => {
          const wanted = world.rowsOf(resource as Resource)
          expect(wanted.length).toBeGreaterThan(4)
          const rows = await engine.rows(rowsPlan(resource as Resource), world.at)
          const byPlace = new Map(
            wanted.map((row) => [`${row.source_file} ${row.ordinal} ${row.end_period}`, row]),
          )
          expect(byPlace.size).toBe(wanted.length)
          expect(plainRows(rows)).toEqual(
            rows.map((row) =>
              plainRow(byPlace.get(`${row.source_file} ${row.ordinal} ${row.end_period}`) ?? {}),
            ),
          )
          expect(rows).toHaveLength(wanted.length)
        })

        it('have exactly the columns of the plan, null where there is no value', async () => {
          const plan = rowsPlan(mobileRewardShares, {
            where: [equals('reward_type', 'promotion_reward')],
            columns: ['entity', 'hotspot_key', 'coverage_object', 'seniority_timestamp', 'amount'],
            limit: 3,
          })
          const rows = await engine.rows(plan, world.at)
          expect(rows).toHaveLength(3)
          for (const row of rows) {
            expect(Object.keys(row)).toEqual(plan.columns)
            expect(row).toMatchObject({
              entity: expect.any(String),
              hotspot_key: null,
              coverage_object: null,
              seniority_timestamp: null,
              amount: null,
            })
          }
        })

        it('come in the order of the resource: period, type, file, hotspot, ordinal', async () => {
          const rows = await engine.rows(
            rowsPlan(iotRewardShares, {
              columns: ['end_period', 'reward_type', 'source_file', 'hotspot_key', 'ordinal'],
            }),
            world.at,
          )
          const key = (row: Row) => [
            String(row.end_period).padStart(20, '0'),
            row.reward_type,
            row.source_file,
            // Nulls first.
            row.hotspot_key === null ? '' : `.${row.hotspot_key}`,
            String(row.ordinal).padStart(20, '0'),
          ]
          const keys = rows.map((row) => key(row).join('\0'))
          expect(keys).toEqual([...keys].sort())
          expect(new Set(keys).size).toBe(rows.length)
        })

        it('of a descending order come newest first', async () => {
          const rows = await engine.rows(
            rowsPlan(iotWitnessIngestReports, { columns: ['received_at'] }),
            world.at,
          )
          const times = rows.map((row) => row.received_at as bigint)
          expect(times).toEqual([...times].sort((a, b) => (a > b ? -1 : a < b ? 1 : 0)))
          expect(times.at(0)).not.toBe(times.at(-1))
        })

        it('from an offset on, at most as many as the limit', async () => {
          const all = places(await engine.rows(rowsPlan(iotRewardShares), world.at))
          for (const [offset, limit] of [
            [0, 1],
            [0, 25],
            [7, 100],
            [all.length - 1, 5],
            [all.length, 5],
            [1_000_000, 1],
          ] as const) {
            const page = await engine.rows(rowsPlan(iotRewardShares, { offset, limit }), world.at)
            expect(places(page)).toEqual(all.slice(offset, offset + limit))
          }
        })

        it('are none with a limit of 0', async () => {
          expect(await engine.rows(rowsPlan(iotRewardShares, { limit: 0 }), world.at)).toEqual([])
        })
      },

      rowBatches() {
        const list: ListPlan = {
          resource: iotRewardShares,
          where: [],
          columns: ['source_file', 'ordinal', 'amount'],
        }

        const batchesOf = async (plan: ListPlan, signal?: AbortSignal) => {
          const batches: (readonly Row[])[] = []
          for await (const batch of many.rowBatches(plan, manyWorld.at, signal)) batches.push(batch)
          return batches
        }

        it('are the whole list in its order, no batch longer than promised', async () => {
          const batches = await batchesOf(list)
          const sizes = batches.map((batch) => batch.length)
          expect(sizes.length).toBeGreaterThan(2)
          expect(Math.max(...sizes)).toBeLessThanOrEqual(MOST_BATCH_ROWS)
          expect(Math.min(...sizes)).toBeGreaterThan(0)
          const wanted = await many.rows({ ...list, limit: 2 * ROWS, offset: 0 }, manyWorld.at)
          expect(wanted).toHaveLength(ROWS)
          expect(batches.flat()).toEqual(wanted)
        })

        it('hold what a filter and a place leave, or nothing', async () => {
          const where = [equals('hotspot_key', hotspot(3).text)]
          const plan = { ...list, where, columns: allColumns(iotRewardShares) }
          const all = await many.rows({ ...plan, limit: ROWS, offset: 0 }, manyWorld.at)
          expect(all.length).toBeGreaterThan(700)
          const after = iotRewardShares.order.map(({ column }) => all[9]?.[column] ?? null)
          expect(plainRows((await batchesOf({ ...plan, after })).flat())).toEqual(plainRows(all.slice(10)))
          expect(await batchesOf({ ...list, where: [equals('hotspot_key', 'nobody')] })).toEqual([])
          expect(await batchesOf({ resource: rejects, where: [], columns: ['reason'] })).toEqual([])
        })

        it('stop when nobody asks for more, and others are answered meanwhile and after', async () => {
          for (let round = 0; round < 5; round += 1) {
            for await (const batch of many.rowBatches(list, manyWorld.at)) {
              expect(batch.length).toBeGreaterThan(0)
              expect(await many.count(list, manyWorld.at)).toBe(ROWS)
              break
            }
          }
          expect((await batchesOf(list)).flat()).toHaveLength(ROWS)
        })

        it('end with the reason of a signal that is aborted between two of them, or before', async () => {
          const reason = new Error('the caller is gone')
          const caller = new AbortController()
          const batches = many.rowBatches(list, manyWorld.at, caller.signal)[Symbol.asyncIterator]()
          expect((await batches.next()).value).not.toHaveLength(0)
          caller.abort(reason)
          await expect(batches.next()).rejects.toBe(reason)
          expect((await batches.next()).done).toBe(true)
          await expect(batchesOf(list, AbortSignal.abort(reason))).rejects.toBe(reason)
          expect((await batchesOf(list)).flat()).toHaveLength(ROWS)
        })
      },

      count() {
        it('is of the rows that match, with none left over', async () => {
          const where = [equals('reward_type', 'gateway_reward')]
          const wanted = world.rowsOf(mobileRewardShares).filter(isGateway).length
          expect(wanted).toBeGreaterThan(100)
          expect(await engine.count({ resource: mobileRewardShares, where }, world.at)).toBe(wanted)
          expect(await engine.count({ resource: mobileRewardShares, where: [] }, world.at)).toBe(
            world.rowsOf(mobileRewardShares).length,
          )
        })
      },

      placed() {
        if (!isPlaced) {
          it('is not offered', () => expect(engine.placed).toBeUndefined())
          return
        }
        const placed = () => {
          if (engine.placed === undefined) throw new Error('the engine offers no placed reads')
          return engine.placed
        }
        const everything = (ranges: readonly RowRange[]) =>
          toPlacedPlan({ resource: mobileRewardShares, columns: allColumns(mobileRewardShares) }, ranges)

        const methods: Readonly<Record<keyof PlacedReads, () => void>> = {
          rows() {
            it('of ranges that the log names are those that the filter and the offset mean', async () => {
              const range = { from: at('2025-01-01T00:00:00Z'), to: at('2025-02-28T00:00:00Z') }
              const where = [atLeast('end_period', range.from), atMost('end_period', range.to)]
              const { statistics } = world.at.table(mobileRewardShares)
              const all = places(await engine.rows(rowsPlan(mobileRewardShares, { where }), world.at))
              expect(all).toHaveLength(statistics.count(range))
              for (const [offset, limit] of [
                [0, 25],
                [199, 100],
                [500, 333],
                [all.length - 3, 10],
              ] as const) {
                const ranges = statistics.locate(range, offset, limit)
                const page = await placed().rows(everything(ranges), world.at)
                expect(places(page)).toEqual(all.slice(offset, offset + limit))
              }
            })

            it('of ranges are the rows at those numbers of those files, one range after the other', async () => {
              const [first, second] = await twoFiles()
              const ranges = [
                { file: second.path, first: 3, end: 17 },
                { file: first.path, first: 0, end: 1 },
                { file: second.path, first: 20, end: 25 },
              ]
              const wanted = [
                ...second.rows.slice(3, 17),
                ...first.rows.slice(0, 1),
                ...second.rows.slice(20, 25),
              ]
              expect(places(await placed().rows(everything(ranges), world.at))).toEqual(places(wanted))
              const one = everything(ranges.slice(0, 1))
              expect(places(await placed().rows(one, world.at))).toEqual(places(second.rows.slice(3, 17)))
              const some = await placed().rows({ ...one, offset: 5, limit: 2 }, world.at)
              expect(places(some)).toEqual(places(second.rows.slice(8, 10)))
              expect(await placed().rows({ ...one, limit: 0 }, world.at)).toEqual([])
              expect(await placed().rows({ ...one, ranges: [] }, world.at)).toEqual([])
            })

            it.each([true, false])('that match are found in ranges; interleaved: %s', async (interleaved) => {
              const [first, second] = await twoFiles()
              const ranges = [
                { file: second.path, first: 2, end: second.rows.length },
                { file: first.path, first: 0, end: first.rows.length - 1 },
              ]
              const found = [...second.rows.slice(2), ...first.rows.slice(0, -1)].filter(isGateway)
              const order = places(await engine.rows(rowsPlan(mobileRewardShares), world.at))
              const sorted = [...places(found)].sort((a, b) => order.indexOf(a) - order.indexOf(b))
              // Or there would be nothing to interleave.
              expect(sorted).not.toEqual(places(found))
              const where = [equals('reward_type', 'gateway_reward')]
              const plan = { ...everything(ranges), where, offset: 4, limit: 30, interleaved }
              const wanted = interleaved ? sorted : places(found)
              expect(wanted.length).toBeGreaterThan(34)
              expect(places(await placed().rows(plan, world.at))).toEqual(wanted.slice(4, 34))
            })
          },

          count() {
            it('is of the rows of ranges that match', async () => {
              const [first, second] = await twoFiles()
              const ranges = [
                { file: first.path, first: 1, end: 9 },
                { file: second.path, first: 0, end: second.rows.length },
              ]
              const plan = { resource: mobileRewardShares, where: [], ranges }
              expect(await placed().count(plan, world.at)).toBe(8 + second.rows.length)
              expect(await placed().count({ ...plan, ranges: [] }, world.at)).toBe(0)
              const where = [equals('reward_type', 'gateway_reward')]
              const wanted = [...first.rows.slice(1, 9), ...second.rows].filter(isGateway).length
              expect(await placed().count({ ...plan, where }, world.at)).toBe(wanted)
            })

            it('divides the rows of ranges at a place', async () => {
              const [{ path: file, rows }] = await twoFiles()
              const place = mobileRewardShares.order.map(({ column }) => rows[20]?.[column] ?? null)
              const plan = { resource: mobileRewardShares, where: [], ranges: [{ file, first: 3, end: 60 }] }
              expect(await placed().count({ ...plan, before: place }, world.at)).toBe(17)
              expect(await placed().count({ ...plan, after: place }, world.at)).toBe(39)
            })
          },

          countChunks() {
            const SIZE = 32
            const resource: Resource = {
              ...mobileRewardShares,
              access: { ...mobileRewardShares.access, chunkRows: SIZE },
            }
            const where = [equals('reward_type', 'gateway_reward')]

            it('counts what matches in each chunk that ranges touch, and in no other row of it', async () => {
              const [first, second] = await twoFiles()
              const ranges = [
                { file: first.path, first: 0, end: first.rows.length },
                { file: second.path, first: SIZE + 5, end: 2 * SIZE + 9 },
              ]
              const wanted = new Map<string, ChunkCount>()
              for (const { path, rows } of [first, second])
                for (const [number, row] of rows.entries()) {
                  const isIn = ranges.some(
                    ({ file, first, end }) => file === path && number >= first && number < end,
                  )
                  if (!isIn || !isGateway(row)) continue
                  const start = Math.floor(number / SIZE) * SIZE
                  const known = wanted.get(`${path} ${start}`)?.rows ?? 0
                  wanted.set(`${path} ${start}`, { file: path, first: start, rows: known + 1 })
                }
              expect(wanted.size).toBeGreaterThan(3)
              const counts = await placed().countChunks({ resource, ranges, where }, world.at)
              expect(plainCounts(counts)).toEqual(plainCounts([...wanted.values()]))
            })

            it('counts every row without a filter', async () => {
              const [{ path: file, rows }] = await twoFiles()
              const counts = await placed().countChunks(
                {
                  resource,
                  ranges: [{ file, first: 0, end: 40 }],
                  where: [],
                },
                world.at,
              )
              expect(rows.length).toBeGreaterThan(40)
              expect(plainCounts(counts)).toEqual([`${file} 0: ${SIZE}`, `${file} ${SIZE}: 8`])
            })

            it('leaves out chunks in which nothing matches', async () => {
              const [{ path: file, rows }] = await twoFiles()
              const ranges = [{ file, first: 0, end: rows.length }]
              const nobody = [equals('hotspot_key', 'nobody')]
              expect(await placed().countChunks({ resource, ranges, where: nobody }, world.at)).toEqual([])
              expect(await placed().countChunks({ resource, ranges: [], where: [] }, world.at)).toEqual([])
            })

            it('counts and finds what a filter over the rows of ranges does, for random plans', async () => {
              const { files } = world.at.table(mobileRewardShares)
              const small: Resource = { ...resource, access: { ...mobileRewardShares.access, chunkRows: 16 } }
              let found = 0
              for (let round = 0; round < ROUNDS; round += 1) {
                const ranges = some(files).map(({ path, rows }) => {
                  const first = random.below(rows)
                  return { file: path, first, end: first + 1 + random.below(rows - first) }
                })
                const where = randomWhere(mobileRewardShares)
                const inRanges = await Promise.all(
                  ranges.map(async ({ file, first, end }) => (await rowsIn(file)).slice(first, end)),
                )
                const filtered = (rows: readonly Row[]) =>
                  openMemoryEngine(() => rows).rows(rowsPlan(mobileRewardShares, { where }), world.at)

                const wanted = new Map<string, ChunkCount>()
                for (const [index, { file, first }] of ranges.entries())
                  for (const [at, row] of (inRanges[index] ?? []).entries()) {
                    if ((await filtered([row])).length === 0) continue
                    const start = first + at - ((first + at) % 16)
                    const key = `${file} ${start}`
                    wanted.set(key, { file, first: start, rows: (wanted.get(key)?.rows ?? 0) + 1 })
                  }
                const counts = await placed().countChunks({ resource: small, ranges, where }, world.at)
                expect(plainCounts(counts)).toEqual(plainCounts([...wanted.values()]))
                found += counts.length

                const lying = (await Promise.all(inRanges.map(filtered))).flat()
                expect(await placed().count({ resource: small, ranges, where }, world.at)).toBe(lying.length)
                const [offset, interleaved] = [random.below(5), random.chance(0.5)]
                const plan = { ...everything(ranges), where, offset, limit: 20, interleaved }
                const own = places(interleaved ? await filtered(inRanges.flat()) : lying)
                expect(places(await placed().rows(plan, world.at))).toEqual(own.slice(offset, offset + 20))
              }
              expect(found).toBeGreaterThan(ROUNDS)
            })
          },
        }
        describe.each(Object.entries(methods))('%s', (_, define) => define())
      },

      sums() {
        /** The plain reduce. */
        const reduced = (rows: readonly Row[], column: string) =>
          rows.reduce((sum, row) => sum + ((row[column] as bigint | null) ?? 0n), 0n)

        it('are exact beyond 64 bits', async () => {
          const [answer, ...others] = await engine.sums(sumsPlan(mobileRewardShares), world.at)
          expect(others).toEqual([])
          expect(answer?.group).toEqual({})
          const rows = world.rowsOf(mobileRewardShares)
          const wanted = amountColumns(mobileRewardShares).map((column) => [column, reduced(rows, column)])
          expect(answer?.sums).toEqual(Object.fromEntries(wanted))
          expect(answer?.sums.dc_transfer_reward).toBeGreaterThan(2n ** 64n)
        })

        it('are 0, never null, over nothing', async () => {
          for (const where of [
            [equals('hotspot_key', 'nobody')],
            [
              atLeast('end_period', at('2099-01-01T00:00:00Z')),
              atMost('end_period', at('2099-01-02T00:00:00Z')),
            ],
          ]) {
            const plan = sumsPlan(mobileRewardShares, {
              where,
              sums: {
                amount: { column: 'amount', as: 'amount' },
                bytes: { column: 'dc_transfer_reward', as: 'offloaded_bytes' },
              },
              prices,
            })
            expect(await engine.sums(plan, world.at)).toEqual([
              { group: {}, sums: { amount: 0n, bytes: 0n } },
            ])
            expect(await engine.sums({ ...plan, groupBy: ['reward_type'] }, world.at)).toEqual([])
            expect(await engine.count(plan, world.at)).toBe(0)
            expect(await engine.rows(rowsPlan(mobileRewardShares, { where }), world.at)).toEqual([])
          }
        })

        it('of a column without values are 0', async () => {
          const plan = sumsPlan(iotRewardShares, { where: [equals('reward_type', 'operational_reward')] })
          const [answer] = await engine.sums(plan, world.at)
          expect(answer?.sums).toMatchObject({
            beacon_amount: 0n,
            witness_amount: 0n,
            dc_transfer_amount: 0n,
          })
          expect(answer?.sums.amount).toBeGreaterThan(0n)
        })

        it('come one set for each value that rows have in common', async () => {
          const plan = sumsPlan(iotRewardShares, {
            groupBy: ['end_period', 'reward_type'],
            sums: { amount: { column: 'amount', as: 'amount' } },
          })
          const groups = await engine.sums(plan, world.at)
          const rows = world.rowsOf(iotRewardShares)
          const names = new Set(rows.map((row) => `${row.end_period} ${row.reward_type}`))
          expect(groups).toHaveLength(names.size)
          for (const { group, sums } of groups) {
            const own = rows.filter(
              (row) => row.end_period === group.end_period && row.reward_type === group.reward_type,
            )
            expect(sums).toEqual({ amount: reduced(own, 'amount') })
          }
        })

        it('come in a group of their own for rows without the value', async () => {
          const plan = sumsPlan(iotRewardShares, {
            groupBy: ['hotspot_key'],
            sums: { amount: { column: 'amount', as: 'amount' } },
          })
          const groups = await engine.sums(plan, world.at)
          const nulls = groups.filter(({ group }) => group.hotspot_key === null)
          expect(nulls.map(({ sums }) => sums.amount)).toEqual([
            reduced(world.rowsOf(iotRewardShares), 'amount'),
          ])
        })

        it('of offloaded bytes round every row half up and take sources without a price for nothing', async () => {
          const plan = sumsPlan(mobileRewardShares, {
            sums: {
              bytes: { column: 'dc_transfer_reward', as: 'offloaded_bytes' },
              reward: { column: 'dc_transfer_reward', as: 'amount' },
            },
            groupBy: ['source_file'],
            prices,
          })
          const groups = await engine.sums(plan, world.at)
          const rows = world.rowsOf(mobileRewardShares)
          expect(groups).toHaveLength(new Set(rows.map((row) => row.source_file)).size)
          for (const { group, sums } of groups) {
            const own = rows.filter(
              (row) => row.source_file === group.source_file && row.dc_transfer_reward !== null,
            )
            const price = prices.get(String(group.source_file))
            const bytes = own.map((row) => {
              if (price === undefined) return 0n
              const twice = (row.dc_transfer_reward as bigint) * 2n ** 31n
              return twice / price + ((twice % price) * 2n >= price ? 1n : 0n)
            })
            expect(sums.bytes).toBe(bytes.reduce((sum, one) => sum + one, 0n))
            expect(sums.reward).toBe(reduced(own, 'dc_transfer_reward'))
          }
        })

        it('of offloaded bytes stand beside the sum of the prices that the shares carry themselves', async () => {
          const plan = sumsPlan(mobileRewardShares, {
            where: [equals('price', 1n)],
            sums: {
              bytes: { column: 'dc_transfer_reward', as: 'offloaded_bytes' },
              price: { column: 'price', as: 'amount' },
            },
            prices,
          })
          const [answer] = await engine.sums(plan, world.at)
          const own = world.rowsOf(mobileRewardShares).filter((row) => row.price === 1n)
          expect(answer?.sums.price).toBe(BigInt(own.length))
        })
      },

      workFor() {
        it('is not known of a signal that nothing was asked with', () => {
          expect(engine.workFor?.(new AbortController().signal)).toBeUndefined()
        })

        it(tellsWork ? 'tells statements and files, added up' : 'is not known at all', async () => {
          const { signal } = new AbortController()
          const { files } = world.at.table(mobileRewardShares)
          await engine.count({ resource: mobileRewardShares, where: [] }, world.at, signal)
          await engine.rows(rowsPlan(mobileRewardShares), world.at, signal)
          const [first] = files
          const ranges = first === undefined ? [] : [{ file: first.path, first: 0, end: 1 }]
          await engine.placed?.count({ resource: mobileRewardShares, where: [], ranges }, world.at, signal)
          const work = { statements: 3, files: 2 * files.length + 1 }
          expect(engine.workFor?.(signal)).toEqual(tellsWork ? work : undefined)
        })
      },

      close() {
        it('ends this engine and no other', async () => {
          const other = await open(world)
          expect(await other.count({ resource: iotRewardShares, where: [] }, world.at)).toBeGreaterThan(0)
          await other.close()
          expect(await engine.count({ resource: iotRewardShares, where: [] }, world.at)).toBeGreaterThan(0)
        })
      },
    }

    describe.each(Object.entries(cases))('%s', (_, define) => define())

    describe('places', () => {
      const tables = [iotRewardShares, mobileRewardShares, rewardManifests, iotWitnessIngestReports]

      it.each(tables.map((resource) => [resource.name, resource] as const))(
        'divide %s at any row, and none of the rows is on both sides',
        async (_, resource) => {
          const columns = [
            ...new Set([...resource.order.map((step) => step.column), 'source_file', 'ordinal']),
          ]
          const rows = await engine.rows(rowsPlan(resource, { columns }), world.at)
          const all = places(rows)
          const stride = Math.max(1, Math.floor(rows.length / scaled(15, 40)))
          for (let index = 0; index < rows.length; index += stride) {
            const place = resource.order.map((step) => rows[index]?.[step.column] ?? null)
            const ask = (more: Partial<RowsPlan>) =>
              engine.rows(rowsPlan(resource, { columns, ...more }), world.at)
            expect(places(await ask({ after: place, limit: 3 }))).toEqual(all.slice(index + 1, index + 4))
            expect(places(await ask({ before: place, limit: 3, fromEnd: true }))).toEqual(
              all.slice(Math.max(0, index - 3), index),
            )
            expect(await engine.count({ resource, where: [], after: place }, world.at)).toBe(
              rows.length - index - 1,
            )
            expect(await engine.count({ resource, where: [], before: place }, world.at)).toBe(index)
          }
        },
      )

      it('between two rows hold what lies between them, from either end', async () => {
        const columns = [...mobileRewardShares.order.map((step) => step.column)]
        const rows = await engine.rows(rowsPlan(mobileRewardShares, { columns }), world.at)
        const place = (index: number) => columns.map((column) => rows[index]?.[column] ?? null)
        const between = { columns, after: place(100), before: place(110) }
        const inner = rows.slice(101, 110)
        expect(await engine.rows(rowsPlan(mobileRewardShares, between), world.at)).toEqual(inner)
        const last = await engine.rows(
          rowsPlan(mobileRewardShares, { ...between, limit: 4, fromEnd: true }),
          world.at,
        )
        expect(last).toEqual(inner.slice(-4))
        const middle = { ...between, limit: 2, offset: 3, fromEnd: true } as const
        expect(await engine.rows(rowsPlan(mobileRewardShares, middle), world.at)).toEqual(inner.slice(4, 6))
        const empty = { columns, after: place(110), before: place(100) }
        expect(await engine.rows(rowsPlan(mobileRewardShares, empty), world.at)).toEqual([])
      })

      it('need not be those of a row', async () => {
        const resource = iotRewardShares
        const all = await engine.rows(rowsPlan(resource), world.at)
        const period = at('2025-01-15T00:00:00Z')
        const isBefore = (row: Row) => (row.end_period as bigint) < period
        const place = [period, '', '', null, 0n]
        expect(await engine.count({ resource, where: [], before: place }, world.at)).toBe(
          all.filter(isBefore).length,
        )
        expect(await engine.count({ resource, where: [], after: place }, world.at)).toBe(
          all.filter((row) => !isBefore(row)).length,
        )
      })
    })

    describe('filters', () => {
      it.each<[string, Resource, readonly Predicate[], (row: Row) => boolean]>([
        ['nothing', iotRewardShares, [], () => true],
        [
          'a text',
          iotRewardShares,
          [equals('hotspot_key', hotspot(5).text)],
          (row) => row.hotspot_key === hotspot(5).text,
        ],
        ['a text nobody has', iotRewardShares, [equals('hotspot_key', "' OR '1'='1")], () => false],
        [
          'a choice and a text',
          mobileRewardShares,
          [equals('reward_type', 'radio_reward'), equals('cbsd_id', "'; --")],
          (row) => row.reward_type === 'radio_reward' && row.cbsd_id === "'; --",
        ],
        ['an empty text', mobileRewardShares, [equals('cbsd_id', '')], (row) => row.cbsd_id === ''],
        [
          'both ends of a range of time, included',
          mobileRewardShares,
          [
            atLeast('end_period', at('2025-01-15T00:00:00Z')),
            atMost('end_period', at('2025-02-01T00:00:00Z')),
          ],
          (row) =>
            (row.end_period as bigint) >= 1_736_899_200_000_000n &&
            (row.end_period as bigint) <= 1_738_368_000_000_000n,
        ],
        [
          'a range of time without its ends',
          mobileRewardShares,
          [
            atLeast('end_period', at('2025-01-15T00:00:00Z') + 1n),
            atMost('end_period', at('2025-02-01T00:00:00Z') - 1n),
          ],
          (row) =>
            (row.end_period as bigint) > 1_736_899_200_000_000n &&
            (row.end_period as bigint) < 1_738_368_000_000_000n,
        ],
        [
          'one instant',
          iotRewardShares,
          [equals('end_period', at('2025-02-28T00:00:00Z'))],
          (row) => row.end_period === 1_740_700_800_000_000n,
        ],
        [
          'from an instant on, to the last that can be asked for',
          iotRewardShares,
          [
            atLeast('end_period', at('2025-02-28T00:00:00Z')),
            atMost('end_period', 253_402_300_799_999_999n + 1440n * MINUTE),
          ],
          (row) => (row.end_period as bigint) >= 1_740_700_800_000_000n,
        ],
        [
          'from before year 0 on',
          iotRewardShares,
          [
            atLeast('end_period', -62_167_219_200_000_000n - 1440n * MINUTE),
            atMost('end_period', at('2024-12-31T00:00:00Z')),
          ],
          (row) => (row.end_period as bigint) <= 1_735_603_200_000_000n,
        ],
        [
          'several bounds on one column',
          iotRewardShares,
          [
            atLeast('end_period', at('2024-12-31T00:00:00Z')),
            atLeast('end_period', at('2025-02-01T00:00:00Z')),
            atMost('end_period', at('2025-02-28T00:00:00Z')),
            atMost('end_period', at('2025-02-01T00:00:00Z')),
          ],
          (row) => row.end_period === 1_738_368_000_000_000n,
        ],
        [
          'the largest amount',
          iotRewardShares,
          [equals('beacon_amount', most)],
          (row) => row.beacon_amount === most,
        ],
        [
          'amounts that a double cannot tell apart',
          iotRewardShares,
          [atLeast('witness_amount', 2n ** 53n + 1n), atMost('witness_amount', 2n ** 63n - 1n)],
          (row) =>
            row.witness_amount !== null &&
            (row.witness_amount as bigint) > 2n ** 53n &&
            (row.witness_amount as bigint) < 2n ** 63n,
        ],
        [
          'texts by their bytes, not by UTF-16',
          mobileRewardShares,
          [atLeast('cbsd_id', '\uffff')],
          (row) => row.cbsd_id === '\uffff' || row.cbsd_id === '\u{1d11e}',
        ],
        [
          'texts up to one',
          mobileRewardShares,
          [atMost('entity', 'B')],
          (row) => ['', 'B', "'; --", '%'].includes(String(row.entity)),
        ],
        [
          'decimals by size, not as text',
          mobileRewardShares,
          [atLeast('base_reward_shares', '9'), atMost('base_reward_shares', '123.456')],
          (row) =>
            ['9', '10', '123.456'].includes(String(row.base_reward_shares)) || isBetween(row, 9, 123.456),
        ],
        [
          'a decimal however it is written',
          mobileRewardShares,
          [equals('base_reward_shares', '10.00')],
          (row) => Number(row.base_reward_shares ?? 'NaN') === 10,
        ],
        [
          'bytes',
          mobileRewardShares,
          [equals('coverage_object', Buffer.from('00ff80', 'hex'))],
          (row) => Buffer.from((row.coverage_object as Uint8Array) ?? []).toString('hex') === '00ff80',
        ],
        [
          'a number of 32 bits',
          iotWitnessIngestReports,
          [atMost('snr', -1)],
          (row) => (row.snr as number) < 0,
        ],
        [
          'a number of 64 bits',
          iotWitnessIngestReports,
          [equals('frequency', 868_700_000n)],
          (row) => row.frequency === 868_700_000n,
        ],
        [
          'a column with nulls: null is never a match',
          mobileRewardShares,
          [atLeast('seniority_timestamp', 0n)],
          (row) => row.seniority_timestamp !== null,
        ],
      ])('%s', async (_, resource, where, isMatch) => {
        const wanted = world.rowsOf(resource).filter(isMatch)
        expect(await engine.count({ resource, where }, world.at)).toBe(wanted.length)
        const rows = await engine.rows(rowsPlan(resource, { where }), world.at)
        expect(places(rows).sort()).toEqual(places(wanted).sort())
      })

      function isBetween(row: Row, least: number, most: number): boolean {
        return (
          row.base_reward_shares !== null &&
          Number(row.base_reward_shares) >= least &&
          Number(row.base_reward_shares) <= most
        )
      }
    })

    it('a table that does not exist is empty', async () => {
      expect(await engine.count({ resource: rejects, where: [] }, world.at)).toBe(0)
      expect(await engine.rows(rowsPlan(rejects), world.at)).toEqual([])
    })

    describe('an aborted signal', () => {
      const reason = new Error('the caller is gone')
      const asks: Readonly<Record<Question, (signal: AbortSignal) => Promise<unknown>>> = {
        rows: (signal) => engine.rows(rowsPlan(iotRewardShares), world.at, signal),
        count: (signal) => engine.count({ resource: iotRewardShares, where: [] }, world.at, signal),
        sums: (signal) => engine.sums(sumsPlan(iotRewardShares), world.at, signal),
      }
      const placedAsks: Readonly<
        Record<keyof PlacedReads, (placed: PlacedReads, signal: AbortSignal) => Promise<unknown>>
      > = {
        rows: (placed, signal) => placed.rows(firstRows(), world.at, signal),
        count: (placed, signal) => placed.count(firstRows(), world.at, signal),
        countChunks: (placed, signal) => placed.countChunks(firstRows(), world.at, signal),
      }
      const firstRows = () => {
        const { files } = world.at.table(iotRewardShares)
        const ranges = files.map(({ path }) => ({ file: path, first: 0, end: 1 }))
        return toPlacedPlan({ resource: iotRewardShares, columns: ['ordinal'] }, ranges)
      }
      const offered = Object.entries(placedAsks).map(([name, ask]): [string, (typeof asks)['rows']] => [
        `placed.${name}`,
        async (signal) => await ask(engine.placed as PlacedReads, signal),
      ])
      const all = [...Object.entries(asks), ...(isPlaced ? offered : [])]

      it.each(all)('rejects %s with its reason', async (_, ask) => {
        await expect(ask(AbortSignal.abort(reason))).rejects.toBe(reason)
      })

      it.each(all)('leaves the engine able to answer %s afterwards', async (_, ask) => {
        const before = await ask(new AbortController().signal)
        await ask(AbortSignal.abort(reason)).catch(() => {})
        expect(await ask(new AbortController().signal)).toEqual(before)
      })
    })
  },
)

describe('all engines', () => {
  let opened: readonly Engine[]

  beforeAll(async () => {
    opened = await Promise.all(engines.map((engine) => engine.open(world)))
  })

  afterAll(async () => {
    for (const engine of opened) await engine.close()
  })

  async function agree<T>(ask: (engine: Engine) => Promise<T>, plan: CountPlan): Promise<T> {
    const [first, ...others] = await Promise.all(opened.map(ask))
    const where = plan.where.map(({ column, match, value }) => `${column} ${match} ${value}`).join(', ')
    expect(others).toHaveLength(engines.length - 1)
    for (const other of others) expect(other, `${plan.resource.name} where ${where}`).toEqual(first)
    return first as T
  }

  it('give equal answers to random requests for each table', async () => {
    let found = 0
    for (const resource of [
      iotRewardShares,
      mobileRewardShares,
      iotWitnessIngestReports,
      rewardManifests,
    ] as const) {
      for (let round = 0; round < ROUNDS; round += 1) {
        const where = randomWhere(resource)
        const columns = [...some(allColumns(resource)), 'source_file', 'ordinal']
        const rows = rowsPlan(resource, {
          where,
          columns: [...new Set(columns)],
          offset: random.below(40),
          limit: 1 + random.below(60),
        })
        const page = await agree(async (engine) => plainRows(await engine.rows(rows, world.at)), rows)
        found += page.length
        const count = { resource, where }
        await agree((engine) => engine.count(count, world.at), count)
      }
    }
    // Not all of it may have been about nothing.
    expect(found).toBeGreaterThan(10 * ROUNDS)
  })

  it('have the list of a hotspot and its totals, whichever of them the repository asks', async () => {
    const filters = { hotspot_key: hotspot(5).text }
    const wanted = world.rowsOf(iotRewardShares).filter((row) => row.hotspot_key === hotspot(5).text).length
    expect(wanted).toBeGreaterThan(5)
    const answers = opened.map(async (engine) => {
      const manifests = manifestReader(engine)
      const repository = openRepository({
        engine,
        manifests,
        offloaded: openOffloadedBytes(engine, manifests, ''),
        sortedCopies: openSortedCopies('', openWriter),
        index: openHotspotIndex('', openWriter),
      })
      const page = await repository.list(iotRewardShares, filters, { page: 1, perPage: 100 }, world.at)
      return { page, totals: await repository.totals(iotRewardShares, filters, world.at).read() }
    })
    const [first, ...others] = await Promise.all(answers)
    expect(first?.page).toMatchObject({ total: wanted, meta: { count: wanted } })
    for (const other of others) expect(other).toEqual(first)
  })

  it('give equal sums for random requests for each network', async () => {
    let found = 0
    for (const resource of [iotRewardShares, mobileRewardShares] as const) {
      const amounts = amountColumns(resource).filter((column) => column !== 'price')
      for (let round = 0; round < ROUNDS; round += 1) {
        const where = randomWhere(resource).filter((predicate) => predicate.column !== 'price')
        const sums = Object.fromEntries(
          [...some(amounts), pick(amounts)].map((column, index) => [
            `sum_${index}`,
            { column, as: pick(['amount', 'amount', 'offloaded_bytes'] as const) },
          ]),
        )
        const groupBy = some([
          'source_file',
          'end_period',
          'reward_type',
          'hotspot_key',
          'unallocated_reward_type',
        ])
        const plan = sumsPlan(resource, { where, sums, groupBy, prices })
        found += (await agree(async (engine) => plainGroups(await engine.sums(plan, world.at)), plan)).length
      }
    }
    expect(found).toBeGreaterThan(5 * ROUNDS)
  })
})

describe('duckdb', () => {
  it('rejects a request that is aborted while it waits for a connection', async () => {
    const engine = await openDuckdbEngine({
      folders: [world.lake],
      spillFolder: join(world.lake, '_state', 'spill'),
      memoryMb: 256,
      threads: 1,
      connections: 1,
    })
    onTestFinished(engine.close)
    const plan = rowsPlan(mobileRewardShares)
    const caller = new AbortController()
    const reason = new Error('the caller is gone')
    const running = engine.rows(plan, world.at)
    const waiting = engine.rows(plan, world.at, caller.signal)
    caller.abort(reason)
    await expect(waiting).rejects.toBe(reason)
    expect(await running).toHaveLength(world.rowsOf(mobileRewardShares).length)
    expect(engine.workFor?.(caller.signal)).toBeUndefined()
  })

  it('answers as many requests at once as there are, on fewer connections', async () => {
    const engine = await engines[0]?.open(world)
    if (engine === undefined) throw new Error('there is no engine')
    onTestFinished(engine.close)
    const offsets = Array.from({ length: 40 }, (_, index) => index * 3)
    const all = places(await engine.rows(rowsPlan(iotRewardShares), world.at))
    const pages = await Promise.all(
      offsets.map((offset) => engine.rows(rowsPlan(iotRewardShares, { offset, limit: 3 }), world.at)),
    )
    expect(pages.map(places)).toEqual(offsets.map((offset) => all.slice(offset, offset + 3)))
  })

  it('cannot read what lies outside the lake', async () => {
    const engine = await engines[0]?.open(world)
    if (engine === undefined) throw new Error('there is no engine')
    onTestFinished(engine.close)
    for (const file of ['/etc/passwd', join(world.lake, '..', 'outside.parquet')]) {
      const range = { file, first: 0, end: 1 }
      const plan = toPlacedPlan({ resource: iotRewardShares, columns: ['ordinal'] }, [range])
      await expect(engine.placed?.rows(plan, world.at)).rejects.toThrow(/outside the lake/)
    }
  })
})
