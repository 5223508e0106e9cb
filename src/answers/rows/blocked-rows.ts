import { bigintOf } from '../../catalog/column.ts'
import { between, type CountPlan, type Predicate, type RowsPlan } from '../../catalog/query/plan.ts'
import type { MatchingRows, RowSpan } from '../../index/matching-rows.ts'
import type { NarrowedRows } from '../../index/narrow-rows.ts'
import { FIRST_ROW, leadingColumn } from '../../index/orders.ts'
import type { OpenOrder, RowBlocks } from '../../index/row-blocks.ts'
import type { Bound } from '../../lake/facts/chunk.ts'
import { compareBounds } from '../../lake/facts/chunk-match.ts'
import {
  type Candidate,
  candidatesWithin,
  type Stretch,
  stretchesOf,
} from '../../lake/snapshot/chunk-order.ts'
import { filesWithin } from '../../lake/snapshot/files-within.ts'
import type { Snapshot, TableSnapshot } from '../../lake/snapshot/snapshot.ts'
import { IndexSearch, type Segment } from './index-search.ts'
import { MOST_SORTED } from './merge-rows.ts'

/** A value with more values of the leading column uses another index. */
const MOST_POINTERS = 8

/** Limit of values whose rows are merged into the order of the table. */
const MOST_VALUES = 8

/** Stop the search for an index at this cost. */
const FEW_COMPARED = 32

/** With fewer rows to compare, chunk bounds cost more than they save. */
const WORTH_BOUNDING = 4096

/**
 * Chooses the index that compares the fewest rows for the page: the order of the table, an index by a column, or pointers.
 * Returns undefined without an index.
 * Errors: DamagedFile.
 */
export function findBlocked(
  blocks: RowBlocks,
  { resource, where, offset = 0, limit = 0 }: CountPlan & Partial<Pick<RowsPlan, 'offset' | 'limit'>>,
  at: Snapshot,
): IndexSearch | undefined {
  const table = at.table(resource)
  if (table.rows === 0) return new IndexSearch(resource, [])
  const window = { start: offset, end: offset + limit }
  let best: IndexSearch | undefined
  let least = Number.POSITIVE_INFINITY
  const consider = (search: IndexSearch) => {
    const cost = search.costOf(window)
    if (cost < least && !search.isTooMuch) [best, least] = [search, cost]
  }
  for (const search of searchesOf(blocks, table, where)) {
    consider(search)
    if (least <= FEW_COMPARED) return best
  }
  const inTable = least > WORTH_BOUNDING && !isLed(table, where) && narrowTable(blocks, table, where)
  if (inTable) consider(new IndexSearch(resource, inTable))
  return best
}

const isLed = ({ resource }: TableSnapshot, where: readonly Predicate[]) =>
  where.some(({ column, match }) => column === leadingColumn(resource) && match !== 'anyOf')

/** Yields the possible searches; each is narrowed on demand. */
function* searchesOf(
  blocks: RowBlocks,
  table: TableSnapshot,
  where: readonly Predicate[],
): Iterable<IndexSearch> {
  const { resource } = table
  const led = isLed(table, where) ? narrowTable(blocks, table, where) : undefined
  if (led !== undefined) yield new IndexSearch(resource, led)
  for (const order of blocks.ordersOf(table)) {
    if (where.every(({ column }) => column !== order.column)) continue
    const narrow = order.as === 'pointers' ? narrowPointed : narrowSorted
    const segments = narrow(blocks, table, where, order)
    if (segments !== undefined) yield new IndexSearch(resource, segments)
  }
}

/** Segments of the table in its order, without chunks that cannot match. */
export function narrowTable(
  blocks: RowBlocks,
  { resource, files }: TableSnapshot,
  where: readonly Predicate[],
  likely?: number,
): readonly Segment[] | undefined {
  const leading = leadingColumn(resource)
  const candidates: Candidate[] = []
  const narrowed = new Map<string, NarrowedRows>()
  for (const file of filesWithin(files, leading, where)) {
    if (file.rows === 0) continue
    const fileRows = blocks.narrow(file.path, where, likely)
    if (fileRows === undefined) return undefined
    if (fileRows.first === fileRows.end) continue
    narrowed.set(file.path, fileRows)
    candidates.push(...candidatesWithin(file, fileRows.residual, fileRows.first, fileRows.end))
  }
  const segments: Segment[] = []
  const stretches =
    candidates.length > 1
      ? joinCertain(stretchesOf(candidates, leading))
      : candidates.map((candidate) => [spanOf(candidate)])
  for (const stretch of stretches) {
    const pieces: MatchingRows[] = []
    for (const { file, ...piece } of stretch) {
      const rows = narrowed.get(file)?.scan(piece)
      if (rows === undefined) return undefined
      pieces.push(rows)
    }
    segments.push({ pieces })
  }
  return segments
}

interface FileSpan extends RowSpan {
  readonly file: string
}

function spanOf({ file, matching, chunk: { first, rows } }: Candidate): FileSpan {
  return { file, first, end: first + rows, matching }
}

/** Joins adjacent pieces of a file in which every row matches. */
function joinCertain(stretches: readonly Stretch[]): readonly (readonly FileSpan[])[] {
  const joined: (readonly FileSpan[])[] = []
  for (const stretch of stretches) {
    const pieces = stretch.map(spanOf)
    const last = onlyCertain(joined.at(-1))
    const next = onlyCertain(pieces)
    if (last === undefined || next?.file !== last.file || next.first !== last.end) joined.push(pieces)
    else joined[joined.length - 1] = [{ ...last, end: next.end, matching: next.end - last.first }]
  }
  return joined
}

/** The only piece, if every row of it matches. */
function onlyCertain(pieces: readonly FileSpan[] | undefined): FileSpan | undefined {
  const only = pieces?.length === 1 ? pieces[0] : undefined
  return only?.matching !== undefined && only.matching === only.end - only.first ? only : undefined
}

/** Follows the pointers of the rows that match the predicates on their column. */
function narrowPointed(
  blocks: RowBlocks,
  table: TableSnapshot,
  where: readonly Predicate[],
  { column, key }: OpenOrder,
): readonly Segment[] | undefined {
  const leading = leadingColumn(table.resource)
  const narrowed = blocks.narrow(
    key,
    where.filter((predicate) => predicate.column === column),
  )
  if (narrowed === undefined || narrowed.residual.length > 0) return undefined
  const count = narrowed.end - narrowed.first
  if (count > MOST_POINTERS) return undefined
  const rows = narrowed.scan()?.read(0, count, [leading, FIRST_ROW])
  if (rows === undefined) return undefined
  const firstOf = new Map(rows.map((row) => [bigintOf(row[leading]), Number(row[FIRST_ROW])]))
  const segments: Segment[] = []
  for (const [value, likely] of [...firstOf].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const led = narrowTable(blocks, table, [{ column: leading, match: 'equals', value }, ...where], likely)
    if (led === undefined) return undefined
    segments.push(...led)
  }
  return segments
}

/** Rows of one value are in the order of the table; rows of a few values are merged. */
function narrowSorted(
  blocks: RowBlocks,
  table: TableSnapshot,
  where: readonly Predicate[],
  { column, key }: OpenOrder,
): readonly Segment[] | undefined {
  if (where.some((predicate) => predicate.column === column && predicate.match === 'equals')) {
    const rows = narrowOne(blocks, table, where, key)
    return rows && [{ pieces: [rows] }]
  }
  const anyOf = where.find((predicate) => predicate.column === column && predicate.match === 'anyOf')
  if (anyOf === undefined) {
    const narrowed = blocks.narrow(key, where)
    if (narrowed === undefined || narrowed.end - narrowed.first > MOST_SORTED) return undefined
    const rows = narrowed.scan()
    return rows && [{ pieces: [rows], isUnsorted: true }]
  }
  const values = [...new Set(anyOf.value as readonly string[])]
  if (values.length > MOST_VALUES || !isPlainText(table, column)) return undefined
  const further = where.filter((predicate) => predicate !== anyOf)
  const pieces = values.flatMap(
    (value) => narrowOne(blocks, table, [...further, { column, match: 'equals', value }], key) ?? [],
  )
  return pieces.length < values.length ? undefined : [{ pieces }]
}

const isPlainText = ({ resource }: TableSnapshot, column: string) => resource.columns[column]?.kind === 'text'

/** Narrows to one value. If many rows remain, the chunk bounds of the log add bounds on the leading column. */
function narrowOne(blocks: RowBlocks, table: TableSnapshot, where: readonly Predicate[], key: string) {
  let narrowed = blocks.narrow(key, where)
  if (narrowed === undefined) return undefined
  if (narrowed.residual.length > 0 && narrowed.end - narrowed.first > WORTH_BOUNDING) {
    const bounds = leadingBounds(table, narrowed.residual)
    if (bounds.length > 0) narrowed = blocks.narrow(key, [...bounds, ...where]) ?? narrowed
  }
  return narrowed.scan()
}

/** Bounds of the leading column over the chunks that can match; empty if the log has none. */
function leadingBounds(
  { resource, files }: TableSnapshot,
  where: readonly Predicate[],
): readonly Predicate[] {
  const leading = leadingColumn(resource)
  let [least, most]: [Bound?, Bound?] = []
  for (const file of files)
    for (const { chunk } of candidatesWithin(file, where)) {
      const bounds = chunk.bounds[leading]
      if (bounds === undefined) return []
      if (least === undefined || compareBounds(bounds[0], least) < 0) least = bounds[0]
      if (most === undefined || compareBounds(bounds[1], most) > 0) most = bounds[1]
    }
  return least === undefined || most === undefined ? [] : between(leading, least, most)
}
