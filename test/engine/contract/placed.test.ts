import { describe, expect, it } from 'vitest'
import { mobileRewardShares } from '../../../src/catalog/l2/mobile-reward-shares.ts'
import type { Resource, Row } from '../../../src/catalog/resource.ts'
import type { ChunkCount } from '../../../src/engine/engine.ts'
import { openMemoryEngine } from '../../../src/engine/memory/memory-engine.ts'
import type { RowRange } from '../../../src/query/plan.ts'
import { toPlacedPlan } from '../../../src/query/to-plan.ts'
import {
  allColumns,
  atLeast,
  atMost,
  equals,
  places,
  positionAt,
  rowsPlan,
} from '../../support/contract/plans.ts'
import { openPlans } from '../../support/contract/random-plans.ts'
import { describeEngines, eachTable, world } from '../../support/contract/world.ts'
import { at } from '../../support/make-lake.ts'
import { rowsInFile } from '../../support/rows-in-files.ts'
import { scaled } from '../../support/tier.ts'

const ROUNDS = scaled(2, 40)
const isGateway = (row: Row) => row.reward_type === 'gateway_reward'
const gateways = [equals('reward_type', 'gateway_reward')]

interface FileRows {
  readonly path: string
  readonly rows: readonly Row[]
}

/** Two files of a month in which several periods end, and their rows as another reader finds them. */
async function twoFiles(): Promise<readonly [FileRows, FileRows]> {
  const { files } = world.at.table(mobileRewardShares)
  const large = files.filter(({ partition, rows }) => partition === '2025-01' && rows > 100)
  const [first, second] = await Promise.all(
    large.map(async ({ path }) => ({ path, rows: await rowsInFile(mobileRewardShares, path) })),
  )
  if (first === undefined || second === undefined) throw new Error('there are no two files of many shares')
  return [first, second]
}

const plainCounts = (counts: readonly ChunkCount[]) =>
  counts.map(({ file, first, rows }) => `${file} ${first}: ${rows}`).sort()

/** Rows that match, by the chunk of their file; `numbered` gives the rows of ranges with their numbers. */
function countsOf(numbered: readonly (readonly [file: string, number: number])[], chunkRows: number) {
  const counts = new Map<string, ChunkCount>()
  for (const [file, number] of numbered) {
    const first = number - (number % chunkRows)
    const key = `${file} ${first}`
    counts.set(key, { file, first, rows: (counts.get(key)?.rows ?? 0) + 1 })
  }
  return plainCounts([...counts.values()])
}

const withChunks = (resource: Resource, chunkRows: number): Resource => ({
  ...resource,
  access: { bounds: [], counts: [], copies: [], pointers: [], ...resource.access, chunkRows },
})

const everything = (resource: Resource, ranges: readonly RowRange[]) =>
  toPlacedPlan({ resource, columns: allColumns(resource) }, ranges)

describeEngines((engine, { readsFiles }) => {
  if (!readsFiles) {
    it('is not offered', () => expect(engine().placed).toBeUndefined())
    return
  }
  const placed = () => {
    const reads = engine().placed
    if (reads === undefined) throw new Error('the engine offers no placed reads')
    return reads
  }
  const rowsIn = async (ranges: readonly RowRange[], more: object = {}) =>
    places(await placed().rows({ ...everything(mobileRewardShares, ranges), ...more }, world.at))

  it('rows of ranges that the log names are those that the filter and the offset mean', async () => {
    const range = { from: at('2025-01-01T00:00Z'), to: at('2025-02-28T00:00Z') }
    const where = [atLeast('end_period', range.from), atMost('end_period', range.to)]
    const { statistics } = world.at.table(mobileRewardShares)
    const all = places(await engine().rows(rowsPlan(mobileRewardShares, { where }), world.at))
    expect(all).toHaveLength(statistics.count(range))
    for (const offset of [0, 199, all.length - 3])
      expect(await rowsIn(statistics.locate(range, offset, 100))).toEqual(all.slice(offset, offset + 100))
  })

  it('rows are those at the numbers of the ranges, one range after the other', async () => {
    const [first, second] = await twoFiles()
    const ranges = [
      { file: second.path, first: 3, end: 17 },
      { file: first.path, first: 0, end: 1 },
      { file: second.path, first: 20, end: 25 },
    ]
    const wanted = [...second.rows.slice(3, 17), ...first.rows.slice(0, 1), ...second.rows.slice(20, 25)]
    expect(await rowsIn(ranges)).toEqual(places(wanted))
    const one = ranges.slice(0, 1)
    expect(await rowsIn(one, { offset: 5, limit: 2 })).toEqual(places(second.rows.slice(8, 10)))
    expect(await rowsIn(one, { limit: 0 })).toEqual([])
    expect(await rowsIn([])).toEqual([])
  })

  it.each([true, false])('rows that match are found in ranges; interleaved: %s', async (interleaved) => {
    const [first, second] = await twoFiles()
    const ranges = [
      { file: second.path, first: 2, end: second.rows.length },
      { file: first.path, first: 0, end: first.rows.length - 1 },
    ]
    const found = places([...second.rows.slice(2), ...first.rows.slice(0, -1)].filter(isGateway))
    const order = places(await engine().rows(rowsPlan(mobileRewardShares), world.at))
    const sorted = [...found].sort((a, b) => order.indexOf(a) - order.indexOf(b))
    // Or there would be nothing to interleave.
    expect(sorted).not.toEqual(found)
    const wanted = interleaved ? sorted : found
    expect(wanted.length).toBeGreaterThan(34)
    const page = await rowsIn(ranges, { where: gateways, offset: 4, limit: 30, interleaved })
    expect(page).toEqual(wanted.slice(4, 34))
  })

  it('count is of the rows of ranges that match, and is divided by a position', async () => {
    const [first, second] = await twoFiles()
    const ranges = [
      { file: first.path, first: 1, end: 9 },
      { file: second.path, first: 0, end: second.rows.length },
    ]
    const plan = { resource: mobileRewardShares, where: [], ranges }
    expect(await placed().count(plan, world.at)).toBe(8 + second.rows.length)
    expect(await placed().count({ ...plan, ranges: [] }, world.at)).toBe(0)
    const wanted = [...first.rows.slice(1, 9), ...second.rows].filter(isGateway).length
    expect(await placed().count({ ...plan, where: gateways }, world.at)).toBe(wanted)
    const one = { ...plan, ranges: [{ file: first.path, first: 3, end: 60 }] }
    const position = positionAt(mobileRewardShares, first.rows[20])
    expect(await placed().count({ ...one, before: position }, world.at)).toBe(17)
    expect(await placed().count({ ...one, after: position }, world.at)).toBe(39)
  })

  it('countChunks counts what matches in each chunk that ranges touch, and in no other row of it', async () => {
    const [first, second] = await twoFiles()
    const resource = withChunks(mobileRewardShares, 32)
    const ranges = [
      { file: first.path, first: 0, end: first.rows.length },
      { file: second.path, first: 37, end: 73 },
    ]
    const numbered = [first, second].flatMap(({ path, rows }, file) =>
      [...rows.entries()]
        .filter(([number, row]) => isGateway(row) && (file === 0 || (number >= 37 && number < 73)))
        .map(([number]) => [path, number] as const),
    )
    const counts = await placed().countChunks({ resource, ranges, where: gateways }, world.at)
    expect(counts.length).toBeGreaterThan(3)
    expect(plainCounts(counts)).toEqual(countsOf(numbered, 32))
    const all = { resource, ranges: [{ file: first.path, first: 0, end: 40 }], where: [] }
    const whole = plainCounts(await placed().countChunks(all, world.at))
    expect(whole).toEqual([`${first.path} 0: 32`, `${first.path} 32: 8`])
    const nobody = [equals('hotspot_key', 'nobody')]
    expect(await placed().countChunks({ ...all, where: nobody }, world.at)).toEqual([])
    expect(await placed().countChunks({ ...all, ranges: [] }, world.at)).toEqual([])
  })

  describe.each(eachTable)('of %s', (_, resource) => {
    it('all three agree with a filter over the rows of ranges, for random plans', async () => {
      const { files } = world.at.table(resource)
      const plans = openPlans(resource, world.rowsOf(resource), 'placed')
      const { random, some } = plans
      const small = withChunks(resource, 16)
      for (let round = 0; round < ROUNDS; round += 1) {
        const chosen = some(files)
        const ranges = (chosen.length === 0 ? files.slice(0, 1) : chosen).map(({ path, rows }) => {
          const first = random.below(rows)
          return { file: path, first, end: first + 1 + random.below(rows - first) }
        })
        const where = plans.where()
        const filtered = (rows: readonly Row[]) =>
          openMemoryEngine(() => rows).rows(rowsPlan(resource, { where }), world.at)

        const lying: Row[] = []
        const numbered: (readonly [string, number])[] = []
        for (const { file, first, end } of ranges) {
          const own = (await rowsInFile(resource, file)).slice(first, end)
          const matching = new Set(places(await filtered(own)))
          for (const [index, row] of own.entries()) {
            if (!matching.has(String(places([row])))) continue
            lying.push(row)
            numbered.push([file, first + index])
          }
        }
        const counts = await placed().countChunks({ resource: small, ranges, where }, world.at)
        expect(plainCounts(counts)).toEqual(countsOf(numbered, 16))
        expect(await placed().count({ resource: small, ranges, where }, world.at)).toBe(lying.length)
        const [offset, interleaved] = [random.below(5), random.chance(0.5)]
        const plan = { ...everything(resource, ranges), where, offset, limit: 20, interleaved }
        const wanted = interleaved ? await filtered(lying) : lying
        const page = await placed().rows(plan, world.at)
        expect(places(page)).toEqual(places(wanted.slice(offset, offset + 20)))
      }
    })
  })
})
