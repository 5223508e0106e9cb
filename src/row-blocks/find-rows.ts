import type { Value } from '../catalog/column.ts'
import type { Row } from '../catalog/resource.ts'
import { firstPlace } from '../lake/first-place.ts'
import type { Predicate } from '../query/plan.ts'
import { type BlockFile, blocksOf } from './block-file.ts'
import { BLOCK_ROWS } from './block-layout.ts'
import { BlockReading, isPlain } from './block-reading.ts'
import { compareFences, type Fence, fenceOf } from './fences.ts'

/** Rows that satisfy predicates, in the order of their file or table, found without waiting. */
export interface FoundRows {
  readonly total: number
  /** Rows `start` up to but not including `end` of those found; undefined when a column is not stored, or blocks are damaged. */
  read(start: number, end: number, columns: readonly string[]): readonly Row[] | undefined
}

/** So many rows are looked at one after the other, before the rest is halved. */
const NEAR_ROWS = 4

export const noRows: FoundRows = { total: 0, read: () => [] }

/** Where the rows of a file are that satisfy predicates, as far as the order of the file says. */
export interface NarrowedRows {
  /** So many rows have to be compared with the other predicates; 0 where there are none. */
  readonly compared: number
  /** Undefined where a column is not stored. */
  find(): FoundRows | undefined
}

/** Narrows rows by halving, as far as the file is sorted by what is asked for. Errors, of `find` too: DamagedFile. */
export function narrowRows(file: BlockFile, where: readonly Predicate[]): NarrowedRows {
  const reading = new BlockReading(file)
  const narrowed = narrow(reading, where)
  const { first, end, others } = narrowed
  if (first >= end) return { compared: 0, find: () => noRows }
  if (others.length === 0) return { compared: 0, find: () => foundWithin(reading, first, end) }
  return { compared: end - first, find: () => compareEach(reading, narrowed) }
}

/** Rows `first` up to but not including `end`. */
function foundWithin(reading: BlockReading, first: number, end: number): FoundRows {
  return {
    total: end - first,
    read: (start, stop, names) => readRanges(reading, names, [[first + start, Math.min(end, first + stop)]]),
  }
}

/** Compares one row after the other. */
function compareEach(reading: BlockReading, { first, end, others }: Narrowed): FoundRows | undefined {
  const compared = others.map((predicate) => toComparison(reading.file, predicate))
  if (compared.some(({ column }) => column < 0)) return undefined
  const found: number[] = []
  for (let row = first; row < end; row += 1)
    if (compared.every((comparison) => matches(reading, row, comparison))) found.push(row)
  return {
    total: found.length,
    read(start, stop, names) {
      const ranges = found.slice(start, stop).map((row) => [row, row + 1] as const)
      return readRanges(reading, names, ranges)
    },
  }
}

function readRanges(
  reading: BlockReading,
  names: readonly string[],
  ranges: readonly (readonly [first: number, end: number])[],
): readonly Row[] | undefined {
  const columns = names.map((name) => reading.file.numberOf(name))
  return columns.includes(-1) ? undefined : ranges.flatMap((range) => reading.rows(columns, ...range))
}

interface Narrowed {
  readonly first: number
  readonly end: number
  /** What these rows have to satisfy besides. */
  readonly others: readonly Predicate[]
}

/** Follows the order of the file, column by column, as long as each but the last has one value. */
function narrow(reading: BlockReading, where: readonly Predicate[]): Narrowed {
  const { rows, resource } = reading.file
  let [first, end, others] = [0, rows, where]
  for (const [place, { column, descending }] of resource.order.entries()) {
    const own = others.filter((predicate) => predicate.column === column && predicate.match !== 'anyOf')
    if (own.length === 0 || descending || first >= end) break
    const number = reading.file.numberOf(column)
    if (number < 0) break
    const inner = openInner(reading, number)
    const firstRow = place === 0 ? openLeading(reading, inner) : inner
    for (const { match, value } of own) {
      const fence = fenceOf(value)
      if (match !== 'atMost') first = firstRow(first, end, fence, 0)
      if (match === 'atLeast') continue
      // Most values have one row or a few.
      const isPast = (row: number) => reading.compare(number, row, fence) > 0
      let near = first
      while (near < end && near < first + NEAR_ROWS && !isPast(near)) near += 1
      end = near < first + NEAR_ROWS ? near : firstRow(near, end, fence, 1)
    }
    others = others.filter((predicate) => !own.includes(predicate))
    if (!own.some(({ match }) => match === 'equals')) break
  }
  return { first, end, others }
}

/** The first row of a range whose value is at least a fence; or, with 1, above it. */
type FirstRow = (first: number, end: number, fence: Fence, least: 0 | 1) => number

function openInner(reading: BlockReading, column: number): FirstRow {
  return (first, end, fence, least) => reading.firstRow(column, first, end, fence, least)
}

/** The first values of blocks, which are in memory, leave one block to be read. */
function openLeading({ file: { fences, rows } }: BlockReading, inner: FirstRow): FirstRow {
  if (fences === undefined) return inner
  const blocks = blocksOf(rows)
  return (first, end, fence, least) => {
    if (fences.compare(0, fence) >= least) return first
    if (fences.compare(blocks, fence) < least) return end
    const block = firstPlace(blocks, (place) => fences.compare(place, fence) >= least)
    const begin = Math.max(first, (block - 1) * BLOCK_ROWS)
    return inner(begin, Math.max(begin, Math.min(end, block * BLOCK_ROWS)), fence, least)
  }
}

/** A predicate on a column by its number, and what its values are compared with where that needs no value of its own. */
interface Comparison {
  readonly column: number
  readonly predicate: Predicate
  readonly fence: Fence | undefined
}

function toComparison(file: BlockFile, predicate: Predicate): Comparison {
  const column = file.numberOf(predicate.column)
  const stored = file.columns[column]
  const isOrdered = stored?.as === 'signed' || (stored?.as === 'text' && isPlain(stored.column.kind))
  const isCompared = predicate.match !== 'anyOf' && isOrdered
  return { column, predicate, fence: isCompared ? fenceOf(predicate.value) : undefined }
}

function matches(reading: BlockReading, row: number, { column, predicate, fence }: Comparison): boolean {
  const { match, value } = predicate
  if (fence !== undefined) return isWithin(match, reading.compare(column, row, fence))
  const own = reading.value(column, row)
  if (own === null) return false
  if (match === 'anyOf')
    return [own].flat().some((item) => (value as readonly Value[]).includes(item as Value))
  if (match === 'equals') return own === value
  return isWithin(match, compareFences(fenceOf(own), fenceOf(value)))
}

/** Nothing is within where there is no value. */
function isWithin(match: Predicate['match'], difference: number): boolean {
  return match === 'equals' ? difference === 0 : match === 'atLeast' ? difference >= 0 : difference <= 0
}
