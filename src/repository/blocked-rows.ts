import { bigintOf } from '../catalog/column.ts'
import type { Resource } from '../catalog/resource.ts'
import { type FoundRows, noRows } from '../index/find-rows.ts'
import type { RowBlocks } from '../index/row-blocks.ts'
import type { ChunkedFile } from '../lake/chunk.ts'
import { chunksBy, rangesOf, stretchesOf } from '../lake/chunk-order.ts'
import { filesWithin } from '../lake/files-within.ts'
import type { Snapshot, TableSnapshot } from '../lake/snapshot.ts'
import type { Predicate, RowRange } from '../query/plan.ts'
import type { TableCopies } from '../sorted-copies/copies-index.ts'
import type { SortedCopies } from '../sorted-copies/sorted-copies.ts'
import { FIRST_ROW, leadingColumn } from '../sorted-copies/sorted-tables.ts'
import { joinRows, mergeRows } from './merge-rows.ts'
import { cutRanges } from './placed-page.ts'

/** A value that occurs with more values of the leading column is found in another way. */
const MOST_POINTERS = 8

/** Of more rows an engine finds those that satisfy what no order decides, and requests go on meanwhile. */
const MOST_COMPARED = 8192

/** No other way is looked for than one with so few rows to compare. */
const FEW_COMPARED = 32

/**
 * Finds rows in the table, in a copy of it or by pointers, wherever the fewest have to be compared. Undefined where none of these leads
 * to them, where too many would be compared, and where blocks are missing.
 */
export function findBlocked(
  blocks: RowBlocks,
  sortedCopies: SortedCopies,
  { resource, where }: { readonly resource: Resource; readonly where: readonly Predicate[] },
  at: Snapshot,
): FoundRows | undefined {
  const table = at.table(resource)
  if (table.files.length === 0) return noRows
  if (where.length === 0) return allRows(blocks, table)
  const ways: Way[] = []
  for (const way of waysTo(blocks, table, where, sortedCopies.of(table))) {
    if (way.compared <= MOST_COMPARED) ways.push(way)
    if (way.compared <= FEW_COMPARED) break
  }
  for (const { find } of ways.sort((a, b) => a.compared - b.compared)) {
    const found = find()
    if (found !== undefined) return found
  }
  return undefined
}

/** Rows that are narrowed, and how the others of their predicates are compared. */
interface Way {
  readonly compared: number
  find(): FoundRows | undefined
}

/** Each is narrowed when it is asked for. */
function* waysTo(
  blocks: RowBlocks,
  table: TableSnapshot,
  where: readonly Predicate[],
  copies: TableCopies | undefined,
): Iterable<Way> {
  const leading = leadingColumn(table.resource)
  const has = (own: string) => where.some(({ column, match }) => column === own && match === 'equals')
  const isLed = where.some(({ column, match }) => column === leading && match !== 'anyOf')
  const inTable = isLed ? narrowTable(blocks, table, where) : undefined
  if (inTable !== undefined) yield inTable
  for (const [column, pointing] of copies?.pointers ?? []) {
    const own = where.filter((predicate) => predicate.column === column)
    const pointed = own.length > 0 ? narrowPointed(blocks, table, where, pointing, own) : undefined
    if (pointed !== undefined) yield pointed
  }
  for (const [column, copy] of copies?.copies ?? []) {
    // The rows of one value lie in a copy in the order of the table, and its files follow each other.
    const inCopy = has(column) ? narrowFiles(blocks, copy, where, joinRows) : undefined
    if (inCopy !== undefined) yield inCopy
  }
}

/** Files of a table may interleave. */
function narrowTable(
  blocks: RowBlocks,
  table: TableSnapshot,
  where: readonly Predicate[],
  likely?: number,
): Way | undefined {
  const join = (found: readonly FoundRows[]) =>
    found.length > 1 ? mergeRows(table.resource, found) : joinRows(found)
  return narrowFiles(blocks, table, where, join, likely)
}

/** The rows that pointers lead to, with `own` predicates on what they point from. */
function narrowPointed(
  blocks: RowBlocks,
  table: TableSnapshot,
  where: readonly Predicate[],
  pointing: Files,
  own: readonly Predicate[],
): Way | undefined {
  const leading = leadingColumn(table.resource)
  const narrowed = narrowFiles(blocks, pointing, own, joinRows)
  const pointers = narrowed && narrowed.compared <= MOST_COMPARED ? narrowed.find() : undefined
  if (pointers === undefined || pointers.total > MOST_POINTERS) return undefined
  const rows = pointers.read(0, pointers.total, [leading, FIRST_ROW])
  if (rows === undefined) return undefined
  const firstOf = new Map(rows.map((row) => [bigintOf(row[leading]), Number(row[FIRST_ROW])]))
  const ways: Way[] = []
  for (const [value, likely] of [...firstOf].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const way = narrowTable(blocks, table, [{ column: leading, match: 'equals', value }, ...where], likely)
    if (way === undefined) return undefined
    ways.push(way)
  }
  return together(ways, joinRows)
}

/** A table, or what is kept of it in another order. */
interface Files {
  readonly resource: Resource
  readonly files: readonly ChunkedFile[]
}

/** Undefined where blocks of a file are missing. */
function narrowFiles(
  blocks: RowBlocks,
  { resource, files }: Files,
  where: readonly Predicate[],
  join: Join,
  likely?: number,
): Way | undefined {
  const ways: Way[] = []
  for (const { path } of filesWithin(files, leadingColumn(resource), where)) {
    const way = blocks.narrow(path, where, likely)
    if (way === undefined) return undefined
    ways.push(way)
  }
  return together(ways, join)
}

/** Puts together what was found, part by part. */
type Join = (parts: readonly FoundRows[]) => FoundRows | undefined

function together(ways: readonly Way[], join: Join): Way {
  return {
    compared: ways.reduce((sum, { compared }) => sum + compared, 0),
    find() {
      const all: FoundRows[] = []
      for (const { find } of ways) {
        const found = find()
        if (found === undefined) return undefined
        if (found.total > 0) all.push(found)
      }
      return join(all)
    },
  }
}

const orders = new WeakMap<TableSnapshot, readonly RowRange[] | undefined>()

/** All rows of a table whose files do not interleave. */
function allRows(blocks: RowBlocks, table: TableSnapshot): FoundRows | undefined {
  if (!orders.has(table)) orders.set(table, inOrder(table))
  const ranges = orders.get(table)
  return (
    ranges && {
      total: table.rows,
      read: (start, end, columns) => blocks.rows(cutRanges(ranges, start, end - start), columns),
    }
  )
}

function inOrder({ resource, files }: TableSnapshot): readonly RowRange[] | undefined {
  const leading = leadingColumn(resource)
  const candidates = chunksBy(files, leading).map((placed) => ({ ...placed, matching: placed.chunk.rows }))
  const stretches = stretchesOf(candidates, leading)
  const isWhole =
    candidates.reduce((sum, { chunk }) => sum + chunk.rows, 0) ===
    files.reduce((sum, { rows }) => sum + rows, 0)
  return isWhole && stretches.every(({ length }) => length === 1) ? rangesOf(stretches.flat()) : undefined
}
