import type { Value } from '../catalog/column.ts'
import type { Row } from '../catalog/resource.ts'
import type { Predicate } from '../query/plan.ts'
import type { BlockFile } from './block-file.ts'
import { BlockReading, isPlain } from './block-reading.ts'
import { compareFences, type Fence, fenceOf } from './fences.ts'
import { keyRangeOf, rowsBetween } from './sorted-rows.ts'

/** Rows that satisfy predicates, in the order of their file or table, found without waiting. */
export interface FoundRows {
  readonly total: number
  /** Rows `start` up to but not including `end` of those found; undefined when a column is not stored, or blocks are damaged. */
  read(start: number, end: number, columns: readonly string[]): readonly Row[] | undefined
}

export const noRows: FoundRows = { total: 0, read: () => [] }

/** Where the rows of a file are that satisfy predicates, as far as the order of the file says. */
export interface NarrowedRows {
  /** So many rows have to be compared with the other predicates; 0 where there are none. */
  readonly compared: number
  /** Undefined where a column is not stored. */
  find(): FoundRows | undefined
}

/** Narrows rows by search, as far as the file is sorted by what is asked for. `likely` is the row that should be the first. Errors, of `find` too: DamagedFile. */
export function narrowRows(file: BlockFile, where: readonly Predicate[], likely?: number): NarrowedRows {
  const reading = new BlockReading(file)
  const range = keyRangeOf(file, where)
  const [first, end] = rowsBetween(reading, range, likely)
  const { others } = range
  if (first === end) return { compared: 0, find: () => noRows }
  if (others.length === 0) return { compared: 0, find: () => foundWithin(reading, first, end) }
  return { compared: end - first, find: () => compareEach(reading, first, end, others) }
}

/** Rows `first` up to but not including `end`. */
function foundWithin(reading: BlockReading, first: number, end: number): FoundRows {
  return {
    total: end - first,
    read(start, stop, names) {
      const columns = numbersOf(reading.file, names)
      return columns && reading.rows(columns, first + start, Math.min(end, first + stop))
    },
  }
}

/** Compares one row after the other. */
function compareEach(
  reading: BlockReading,
  first: number,
  end: number,
  others: readonly Predicate[],
): FoundRows | undefined {
  const compared = others.map((predicate) => toComparison(reading.file, predicate))
  if (compared.some(({ column }) => column < 0)) return undefined
  const found: number[] = []
  for (let row = first; row < end; row += 1)
    if (compared.every((comparison) => matches(reading, row, comparison))) found.push(row)
  return {
    total: found.length,
    read(start, stop, names) {
      const columns = numbersOf(reading.file, names)
      return columns && found.slice(start, stop).flatMap((row) => reading.rows(columns, row, row + 1))
    },
  }
}

/** Undefined when one of them is not stored. */
function numbersOf(file: BlockFile, names: readonly string[]): readonly number[] | undefined {
  const columns = names.map(file.numberOf)
  return columns.includes(-1) ? undefined : columns
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
