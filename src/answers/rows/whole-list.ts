import { isSliceOver, nextSlice, runInSlices } from '../../base/slices.ts'
import type { ListPlan } from '../../catalog/query/plan.ts'
import { toRangesPlan } from '../../catalog/query/to-plan.ts'
import type { Row } from '../../catalog/resource.ts'
import type { ColumnBatch } from '../../engine/engine.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import type { AccessPaths, Choice } from './choose.ts'
import { cutRanges } from './cut-ranges.ts'
import { groupBatches, type ListBatch, sliced } from './group-rows.ts'
import { copyOf, type ListCopy } from './list-copy.ts'

/** All rows of a list in order, and their count. */
export interface WholeList {
  readonly total: number
  /** Small batches on demand. */
  batches(): AsyncGenerator<ListBatch>
  /** Undefined if the engine cannot write the rows itself. */
  readonly copy?: ListCopy | undefined
}

/** The first part is small, so that its rows come early. */
const FIRST_ROWS = 2048
/** Rows of a part in memory, about a chunk. */
const PART_ROWS = 16_384
/** Rows of a part that is streamed: its statement decodes a chunk once, and does not stay open for hours. */
const STREAMED_ROWS = 1_048_576
/** Rows per batch: some milliseconds of work. */
const MOST_ROWS = 2048

/** Reads a whole list by the access path of its pages. Sorted rows are not sorted again. */
export async function wholeList(
  { engine, index, blocks }: AccessPaths,
  choice: Choice,
  plan: ListPlan,
  at: Snapshot,
  signal?: AbortSignal,
): Promise<WholeList> {
  const table = at.table(plan.resource)
  const toBatch = (rows: readonly Row[]) => batchOf(rows, plan.columns)
  const logged = 'logged' in choice ? choice.logged : undefined
  const { byRowNumber } = engine
  if (logged !== undefined && byRowNumber !== undefined) {
    const list = inParts(logged.total, STREAMED_ROWS, (offset, rows) => {
      if ('range' in logged)
        return groupBatches(byRowNumber, plan, table.statistics.cut(logged.range, offset, rows), at, signal)
      const part = toRangesPlan(plan, cutRanges(logged.ranges, offset, rows))
      return withoutShared(byRowNumber.columns(part, at, signal))
    })
    return { ...list, copy: copyOf(byRowNumber, logged, plan, at, signal) }
  }
  const keyed = 'key' in choice ? index.rows(table, choice.key, choice.range) : undefined
  if (keyed !== undefined)
    return inParts(keyed.total, PART_ROWS, (offset, rows) => [
      { ...keyed.columns(offset, offset + rows, plan.columns), shared: {} },
    ])
  const searched =
    'search' in choice ? await searchedBatches(blocks, choice, plan, signal, PART_ROWS) : undefined
  if (searched !== undefined) return ofBatches(searched)
  const total = logged?.total ?? (await engine.count(plan, at, signal))
  async function* batches() {
    for await (const rows of engine.rowBatches(plan, at, signal)) yield* inPieces(toBatch(rows))
  }
  return { total, batches }
}

/**
 * Reads the rows that an index finds. Returns undefined if there are more than `mostRows`, or if the index is damaged or
 * lacks a column.
 */
export async function searchedBatches(
  blocks: AccessPaths['blocks'],
  { search }: Extract<Choice, { search: unknown }>,
  { columns }: ListPlan,
  signal: AbortSignal | undefined,
  mostRows = Number.POSITIVE_INFINITY,
): Promise<readonly ListBatch[] | undefined> {
  return await blocks.attemptLater(async () => {
    const matches = await runInSlices(search.rows({ start: 0, end: mostRows }), signal)
    if (matches === undefined || matches.total > mostRows) return undefined
    const batches: ListBatch[] = []
    for (let first = 0; first < matches.total; first += MOST_ROWS) {
      if (isSliceOver()) await nextSlice(signal)
      const rows = matches.read(first, Math.min(first + MOST_ROWS, matches.total), columns)
      if (rows === undefined) return undefined
      batches.push(batchOf(rows, columns))
    }
    return batches
  })
}

function ofBatches(ofList: readonly ListBatch[]): WholeList {
  async function* batches() {
    yield* ofList
  }
  return { total: ofList.reduce((sum, { rows }) => sum + rows, 0), batches }
}

/** Reads parts that grow up to `mostRows` rows. */
function inParts(
  total: number,
  mostRows: number,
  read: (offset: number, rows: number) => AsyncIterable<ListBatch> | Iterable<ListBatch>,
): WholeList {
  async function* batches() {
    for (let first = 0; first < total; ) {
      const next = first === 0 ? FIRST_ROWS : Math.max(PART_ROWS, first)
      const rows = Math.min(next, mostRows, total - first)
      for await (const batch of read(first, rows)) yield* inPieces(batch)
      first += rows
    }
  }
  return { total, batches }
}

async function* withoutShared(batches: AsyncIterable<ColumnBatch>): AsyncGenerator<ListBatch> {
  for await (const batch of batches) yield { ...batch, shared: {} }
}

/** Turns rows into a batch of columns. */
export function batchOf(rows: readonly Row[], names: readonly string[]): ListBatch {
  const columns = names.map((name) => [name, rows.map((row) => row[name] ?? null)])
  return { rows: rows.length, shared: {}, columns: Object.fromEntries(columns) }
}

function* inPieces(batch: ListBatch): Generator<ListBatch> {
  for (let first = 0; first < batch.rows; first += MOST_ROWS)
    yield sliced(batch, first, Math.min(first + MOST_ROWS, batch.rows))
}
