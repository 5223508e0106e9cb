import { describe, expect, it } from 'vitest'
import { mobileRewardShares } from '../../../src/catalog/l2/mobile-reward-shares.ts'
import type { RowRange } from '../../../src/catalog/query/plan.ts'
import { toRangesPlan } from '../../../src/catalog/query/to-plan.ts'
import type { Resource, Row } from '../../../src/catalog/resource.ts'
import { openMemoryEngine } from '../../support/contract/memory-engine.ts'
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
import { at } from '../../support/lakes/make-lake.ts'
import { rowsInFile } from '../../support/tables/rows-in-files.ts'
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

const everything = (resource: Resource, ranges: readonly RowRange[]) =>
  toRangesPlan({ resource, columns: allColumns(resource) }, ranges)

describeEngines((engine, { readsFiles }) => {
  if (!readsFiles) {
    it('reads by row number are not offered', () => expect(engine().byRowNumber).toBeUndefined())
    return
  }
  const byRowNumber = () => {
    const reads = engine().byRowNumber
    if (reads === undefined) throw new Error('the engine reads no rows by their numbers')
    return reads
  }
  const rowsIn = async (ranges: readonly RowRange[], more: object = {}) =>
    places(await byRowNumber().rows({ ...everything(mobileRewardShares, ranges), ...more }, world.at))

  it('rows read by row numbers from the log equal rows read by filter and offset', async () => {
    const range = { from: at('2025-01-01T00:00Z'), to: at('2025-02-28T00:00Z') }
    const where = [atLeast('end_period', range.from), atMost('end_period', range.to)]
    const { statistics } = world.at.table(mobileRewardShares)
    const all = places(await engine().rows(rowsPlan(mobileRewardShares, { where }), world.at))
    expect(all).toHaveLength(statistics.count(range))
    for (const offset of [0, 199, all.length - 3])
      expect(await rowsIn(statistics.locate(range, offset, 100))).toEqual(all.slice(offset, offset + 100))
  })

  it('rows have the numbers of the ranges, one range after the other', async () => {
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

  it('rows that match are found in ranges, one range after the other', async () => {
    const [first, second] = await twoFiles()
    const ranges = [
      { file: second.path, first: 2, end: second.rows.length },
      { file: first.path, first: 0, end: first.rows.length - 1 },
    ]
    const wanted = places([...second.rows.slice(2), ...first.rows.slice(0, -1)].filter(isGateway))
    expect(wanted.length).toBeGreaterThan(34)
    const page = await rowsIn(ranges, { where: gateways, offset: 4, limit: 30 })
    expect(page).toEqual(wanted.slice(4, 34))
  })

  it('a count over ranges counts the matching rows, and is divided by a position', async () => {
    const [first, second] = await twoFiles()
    const ranges = [
      { file: first.path, first: 1, end: 9 },
      { file: second.path, first: 0, end: second.rows.length },
    ]
    const plan = { resource: mobileRewardShares, where: [], ranges }
    expect(await byRowNumber().count(plan, world.at)).toBe(8 + second.rows.length)
    expect(await byRowNumber().count({ ...plan, ranges: [] }, world.at)).toBe(0)
    const wanted = [...first.rows.slice(1, 9), ...second.rows].filter(isGateway).length
    expect(await byRowNumber().count({ ...plan, where: gateways }, world.at)).toBe(wanted)
    const one = { ...plan, ranges: [{ file: first.path, first: 3, end: 60 }] }
    const position = positionAt(mobileRewardShares, first.rows[20])
    expect(await byRowNumber().count({ ...one, before: position }, world.at)).toBe(17)
    expect(await byRowNumber().count({ ...one, after: position }, world.at)).toBe(39)
  })

  describe.each(eachTable)('reads by row number of %s', (_, resource) => {
    it('rows and count agree with a filter over the rows of ranges, for random plans', async () => {
      const { files } = world.at.table(resource)
      const plans = openPlans(resource, world.rowsOf(resource), 'row numbers')
      const { random, some } = plans
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
        for (const { file, first, end } of ranges) {
          const own = (await rowsInFile(resource, file)).slice(first, end)
          const matching = new Set(places(await filtered(own)))
          lying.push(...own.filter((row) => matching.has(String(places([row])))))
        }
        expect(await byRowNumber().count({ resource, ranges, where }, world.at)).toBe(lying.length)
        const offset = random.below(5)
        const page = await byRowNumber().rows(
          { ...everything(resource, ranges), where, offset, limit: 20 },
          world.at,
        )
        expect(places(page)).toEqual(places(lying.slice(offset, offset + 20)))
      }
    })
  })
})
