import { firstIndex, firstIndexNear, type SearchWindow } from '../base/values/first-index.ts'
import type { Predicate } from '../catalog/query/plan.ts'
import { type BlockFile, blocksOf } from './blocks/block-file.ts'
import { BLOCK_ROWS } from './blocks/block-layout.ts'
import type { BlockReading } from './blocks/block-reading.ts'
import { type Fence, fenceOf, type OpenFences } from './blocks/fences.ts'

/** Values of the first columns that a file is sorted by, one after the other. */
type SortKey = readonly { readonly column: number; readonly fence: Fence }[]

/** The keys that rows have to lie between, both included, and what they have to satisfy besides. */
interface KeyRange {
  readonly least: SortKey
  readonly most: SortKey
  readonly further: readonly Predicate[]
}

/** Follows the order of a file, column by column, as long as each but the last has one value. */
export function keyRangeOf({ resource, numberOf }: BlockFile, where: readonly Predicate[]): KeyRange {
  const [least, most]: [SortKey[number][], SortKey[number][]] = [[], []]
  const followed: (Predicate | undefined)[] = []
  for (const { column, descending } of resource.order) {
    const { from, to } = boundsOf(where, column)
    const number = numberOf(column)
    if ((from ?? to) === undefined || descending || number < 0) break
    const lower = from && { column: number, fence: fenceOf(from.value) }
    const upper = to === from ? lower : to && { column: number, fence: fenceOf(to.value) }
    if (lower !== undefined) least.push(lower)
    if (upper !== undefined) most.push(upper)
    followed.push(from, to)
    if (from !== to) break
  }
  return { least, most, further: where.filter((predicate) => !followed.includes(predicate)) }
}

interface Bounds {
  readonly from: Predicate | undefined
  readonly to: Predicate | undefined
}

/** Between what the values of a column have to be; both are the same where there is but one. */
function boundsOf(where: readonly Predicate[], name: string): Bounds {
  let [from, to]: [Predicate?, Predicate?] = []
  for (const predicate of where) {
    if (predicate.column !== name) continue
    if (predicate.match === 'equals') return { from: predicate, to: predicate }
    if (predicate.match === 'atLeast') from ??= predicate
    if (predicate.match === 'atMost') to ??= predicate
  }
  return { from, to }
}

/** So many rows are looked at one after the other, before the rest is halved. */
const NEAR_ROWS = 4

/** How far from an estimated row or block the next one is looked at. */
const FIRST_STEP = 8

/** The first row of a range, and the one behind its last. `likely` is the row that should be the first, so it is looked at before others. Errors: DamagedFile. */
export function rowsBetween(
  reading: BlockReading,
  { least, most }: KeyRange,
  likely?: number,
): [first: number, end: number] {
  const { rows } = reading.file
  const first = least.length === 0 ? 0 : firstRow(reading, 0, least, 0, likely)
  if (most.length === 0) return [first, rows]
  // Most keys have one row or a few.
  for (let row = first; row < first + NEAR_ROWS; row += 1)
    if (row === rows || compareKey(reading, row, most) > 0) return [first, row]
  return [first, firstRow(reading, first + NEAR_ROWS, most, 1)]
}

/** The first row, at `from` or behind, that has at least a key; or, with 1, one above it. A null is below everything. */
function firstRow(
  reading: BlockReading,
  from: number,
  key: SortKey,
  least: 0 | 1,
  likely = Number.POSITIVE_INFINITY,
): number {
  const isReached = (row: number) => compareKey(reading, row, key) >= least
  const isThere = likely < reading.file.rows && isReached(likely)
  if (isThere && (likely === from || !isReached(likely - 1))) return likely
  const around = rowsAround(reading.file, key, least)
  return firstIndexNear({ ...around, low: Math.max(around.low, from) }, FIRST_STEP, isReached)
}

/** The first values of blocks, which are in memory, leave few blocks to be read. */
function rowsAround({ fences, rows }: BlockFile, key: SortKey, least: 0 | 1): SearchWindow {
  const [leading] = key
  if (fences === undefined || leading === undefined) return { low: 0, high: rows, estimate: Number.NaN }
  const blocks = blocksOf(rows)
  const isAtLeast = (index: number) => fences.compare(index, leading.fence) >= 0
  const isAbove = (index: number) => fences.compare(index, leading.fence) > 0
  const all = {
    low: 0,
    high: blocks + 1,
    estimate: Math.ceil(blocks * shareBelow(leading.fence, fences, 0, blocks)),
  }
  const reached = firstIndexNear(all, FIRST_STEP, key.length === 1 && least === 1 ? isAbove : isAtLeast)
  if (reached > blocks) return { low: rows, high: rows, estimate: rows }
  // Several blocks may begin with one value; the other values of a key tell them apart.
  const isOne = key.length === 1 || isAbove(reached)
  const past = isOne
    ? reached
    : reached + firstIndex(blocks + 1 - reached, (index) => isAbove(reached + index))
  const before = Math.max(0, reached - 1)
  const [low, high] = [before * BLOCK_ROWS, Math.min(rows, past * BLOCK_ROWS)]
  const share = isOne ? shareBelow(leading.fence, fences, before, past) : Number.NaN
  const estimate = low + Math.floor((high - low) * share)
  return { low, high, estimate }
}

/** The share of the values between the first ones of two blocks that is below a value, if they are evenly spread; NaN where both are about the same. */
function shareBelow({ approximate }: Fence, fences: OpenFences, block: number, past: number): number {
  const begin = fences.approximate(block)
  return (approximate - begin) / (fences.approximate(past) - begin)
}

/** NaN where a value is missing, so that a row is neither more nor less. */
function compareKey(reading: BlockReading, row: number, key: SortKey): number {
  for (const { column, fence } of key) {
    const difference = reading.compare(column, row, fence)
    if (difference !== 0) return difference
  }
  return 0
}
