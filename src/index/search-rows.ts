import { firstIndex, firstIndexNear, type SearchWindow } from '../base/values/first-index.ts'
import type { Predicate } from '../catalog/query/plan.ts'
import { type BlockFile, countBlocks } from './blocks/block-file.ts'
import { BLOCK_ROWS } from './blocks/block-layout.ts'
import type { BlockReading } from './blocks/block-reading.ts'
import type { Fences } from './blocks/fences.ts'
import { type SearchValue, toSearchValue } from './blocks/search-value.ts'

/** Values of the leading sort columns. */
type SortKey = readonly { readonly column: number; readonly target: SearchValue }[]

/** Inclusive bounds of the sort key, and the predicates that they do not imply. */
interface KeyRange {
  readonly least: SortKey
  readonly most: SortKey
  readonly residual: readonly Predicate[]
}

/** Turns predicates on the leading sort columns into bounds. All columns but the last need an equality. */
export function findKeyRange({ resource, numberOf }: BlockFile, where: readonly Predicate[]): KeyRange {
  const [least, most]: [SortKey[number][], SortKey[number][]] = [[], []]
  const implied: (Predicate | undefined)[] = []
  for (const { column, descending } of resource.order) {
    const [from, to] = boundsOf(where, column)
    const number = numberOf(column)
    if ((from ?? to) === undefined || descending || number < 0) break
    const lower = from && { column: number, target: toSearchValue(from.value) }
    const upper = to === from ? lower : to && { column: number, target: toSearchValue(to.value) }
    if (lower !== undefined) least.push(lower)
    if (upper !== undefined) most.push(upper)
    implied.push(from, to)
    if (from !== to) break
  }
  return { least, most, residual: where.filter((predicate) => !implied.includes(predicate)) }
}

/** The bounds of a column; an equality is both. */
function boundsOf(where: readonly Predicate[], name: string): readonly (Predicate | undefined)[] {
  let [from, to]: [Predicate?, Predicate?] = []
  for (const predicate of where) {
    if (predicate.column !== name) continue
    if (predicate.match === 'equals') return [predicate, predicate]
    if (predicate.match === 'atLeast') from ??= predicate
    if (predicate.match === 'atMost') to ??= predicate
  }
  return [from, to]
}

/** Rows that are compared in sequence before the search. */
const NEAR_ROWS = 4

/** First distance of the galloping search around an estimate. */
const FIRST_STEP = 8

/** Finds the rows of a range, the end not included. Checks the row `likely` first. Errors: DamagedFile. */
export function searchRows(
  reading: BlockReading,
  { least, most }: KeyRange,
  likely?: number,
): [first: number, end: number] {
  const { rows } = reading.file
  const first = least.length === 0 ? 0 : firstRow(reading, 0, least, 0, likely)
  if (most.length === 0) return [first, rows]
  // Most keys have few rows.
  for (let row = first; row < first + NEAR_ROWS; row += 1)
    if (row === rows || compareKey(reading, row, most) > 0) return [first, row]
  return [first, firstRow(reading, first + NEAR_ROWS, most, 1)]
}

/** Returns the first row from `from` on whose key is at least `key`, or with `least` 1 is greater. Nulls sort first. */
function firstRow(
  reading: BlockReading,
  from: number,
  key: SortKey,
  least: 0 | 1,
  likely = Number.POSITIVE_INFINITY,
): number {
  const isReached = (row: number) => compareKey(reading, row, key) >= least
  if (likely < reading.file.rows && isReached(likely) && (likely === from || !isReached(likely - 1)))
    return likely
  const around = rowsAround(reading.file, key, least)
  return firstIndexNear({ ...around, low: Math.max(around.low, from) }, FIRST_STEP, isReached)
}

/** Narrows a search to few blocks by their first values, which are in memory. */
function rowsAround({ fences, rows }: BlockFile, key: SortKey, least: 0 | 1): SearchWindow {
  const [leading] = key
  if (fences === undefined || leading === undefined) return { low: 0, high: rows, estimate: Number.NaN }
  const blocks = countBlocks(rows)
  const isAtLeast = (index: number) => fences.compare(index, leading.target) >= 0
  const isAbove = (index: number) => fences.compare(index, leading.target) > 0
  const estimatedBlock = Math.ceil(blocks * shareBelow(leading.target, fences, 0, blocks))
  const around = { low: 0, high: blocks + 1, estimate: estimatedBlock }
  const reached = firstIndexNear(around, FIRST_STEP, key.length === 1 && least === 1 ? isAbove : isAtLeast)
  if (reached > blocks) return { low: rows, high: rows, estimate: rows }
  // If several blocks begin with the same value, the search continues by the rest of the key.
  const isSingle = key.length === 1 || isAbove(reached)
  const past = isSingle
    ? reached
    : reached + firstIndex(blocks + 1 - reached, (index) => isAbove(reached + index))
  const before = Math.max(0, reached - 1)
  const [low, high] = [before * BLOCK_ROWS, Math.min(rows, past * BLOCK_ROWS)]
  const share = isSingle ? shareBelow(leading.target, fences, before, past) : Number.NaN
  return { low, high, estimate: low + Math.floor((high - low) * share) }
}

/** Estimates the share of values between two blocks that is below a value; NaN if both begin with about the same. */
function shareBelow({ approximate }: SearchValue, fences: Fences, block: number, past: number): number {
  const begin = fences.approximate(block)
  return (approximate - begin) / (fences.approximate(past) - begin)
}

/** NaN for a null. */
function compareKey(reading: BlockReading, row: number, key: SortKey): number {
  for (const { column, target } of key) {
    const difference = reading.compare(column, row, target)
    if (difference !== 0) return difference
  }
  return 0
}
