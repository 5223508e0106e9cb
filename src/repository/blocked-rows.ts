import { bigintOf } from '../catalog/column.ts'
import type { Resource, Row } from '../catalog/resource.ts'
import type { ChunkedFile } from '../lake/chunk.ts'
import { chunksBy, rangesOf, stretchesOf } from '../lake/chunk-order.ts'
import { filesWithin } from '../lake/files-within.ts'
import type { Snapshot, TableSnapshot } from '../lake/snapshot.ts'
import type { Predicate, RowRange } from '../query/plan.ts'
import type { RowBlocks } from '../row-blocks/row-blocks.ts'
import type { TableCopies } from '../sorted-copies/copies-index.ts'
import type { SortedCopies } from '../sorted-copies/sorted-copies.ts'
import { leadingColumn } from '../sorted-copies/sorted-tables.ts'
import { type BlockedRows, mergeRows } from './merge-rows.ts'
import { cutRanges } from './placed-page.ts'

const nothing: BlockedRows = { total: 0, read: () => [] }

/** A value that occurs with more values of the leading column is found in another way. */
const MOST_POINTERS = 8

/**
 * Finds rows by the column that the table is sorted by, or one of which there is a copy or pointers. Undefined where that is no way
 * to find them, or where blocks are missing.
 */
export function findBlocked(
  blocks: RowBlocks,
  sortedCopies: SortedCopies,
  { resource, where }: { readonly resource: Resource; readonly where: readonly Predicate[] },
  at: Snapshot,
): BlockedRows | undefined {
  const table = at.table(resource)
  if (table.files.length === 0) return nothing
  if (where.length === 0) return allRows(blocks, table)
  const copies = sortedCopies.of(table)
  for (const find of [inTable, inCopies, byPointers]) {
    const found = find(blocks, table, where, copies)
    if (found !== undefined) return found
  }
  return undefined
}

type Find = (
  blocks: RowBlocks,
  table: TableSnapshot,
  where: readonly Predicate[],
  copies: TableCopies | undefined,
) => BlockedRows | undefined

const inTable: Find = (blocks, table, where) => {
  const leading = leadingColumn(table.resource)
  const isLed = where.some(({ column, match }) => column === leading && match !== 'anyOf')
  return isLed ? inFilesOf(table, blocks, where) : undefined
}

/** Files of a table may interleave. */
function inFilesOf(
  { resource, files }: TableSnapshot,
  blocks: RowBlocks,
  where: readonly Predicate[],
): BlockedRows | undefined {
  const found = inFiles(blocks, { resource, files }, where)
  return found && (found.length > 1 ? mergeRows(resource, found) : (found[0] ?? nothing))
}

/** The rows of one value lie in a copy in the order of the table, and its files follow each other. */
const inCopies: Find = (blocks, _table, where, copies) => {
  for (const [column, copy] of copies?.copies ?? []) {
    if (!where.some((own) => own.column === column && own.match === 'equals')) continue
    const found = inFiles(blocks, copy, where)
    if (found !== undefined) return joined(found)
  }
  return undefined
}

const byPointers: Find = (blocks, table, where, copies) => {
  const leading = leadingColumn(table.resource)
  for (const [column, pointing] of copies?.pointers ?? []) {
    const own = where.filter((predicate) => predicate.column === column)
    if (own.length === 0) continue
    const pointers = inFiles(blocks, pointing, own)
    if (pointers === undefined) return undefined
    const { total, read } = joined(pointers)
    if (total > MOST_POINTERS) return undefined
    const values = read(0, total, [leading])?.map((row) => bigintOf(row[leading]))
    if (values === undefined) return undefined
    const ordered = [...new Set(values)].sort((a, b) => (a < b ? -1 : 1))
    const parts: BlockedRows[] = []
    for (const value of ordered) {
      const led: Predicate = { column: leading, match: 'equals', value }
      const part = inFilesOf(table, blocks, [led, ...where])
      if (part === undefined) return undefined
      parts.push(part)
    }
    return joined(parts)
  }
  return undefined
}

/** What is found in each file that has any. */
function inFiles(
  blocks: RowBlocks,
  { resource, files }: { readonly resource: Resource; readonly files: readonly ChunkedFile[] },
  where: readonly Predicate[],
): readonly BlockedRows[] | undefined {
  const all: BlockedRows[] = []
  for (const { path } of filesWithin(files, leadingColumn(resource), where)) {
    const found = blocks.find(path, where)
    if (found === undefined) return undefined
    if (found.total > 0) all.push(found)
  }
  return all
}

function joined(parts: readonly BlockedRows[]): BlockedRows {
  const [only = nothing, ...others] = parts
  if (others.length === 0) return only
  return {
    total: parts.reduce((sum, { total }) => sum + total, 0),
    read(start, end, columns) {
      const rows: Row[] = []
      let before = 0
      for (const { total, read } of parts) {
        const [from, to] = [Math.max(0, start - before), Math.min(total, end - before)]
        before += total
        if (from >= to) continue
        const own = read(from, to, columns)
        if (own === undefined) return undefined
        rows.push(...own)
      }
      return rows
    },
  }
}

const orders = new WeakMap<TableSnapshot, readonly RowRange[] | undefined>()

/** All rows of a table whose files do not interleave. */
function allRows(blocks: RowBlocks, table: TableSnapshot): BlockedRows | undefined {
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
