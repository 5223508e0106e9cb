import type { ListPlan } from '../../catalog/query/plan.ts'
import { toRangesPlan } from '../../catalog/query/to-plan.ts'
import type { Row } from '../../catalog/resource.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import type { AccessPaths, Choice } from './choose.ts'
import { cutRanges } from './cut-ranges.ts'
import { groupBatches, type ListBatch, sliced } from './group-rows.ts'

/** All rows of a list in order, and their count. */
export interface WholeList {
  readonly total: number
  /** Small batches on demand; the next part is read ahead. */
  batches(): AsyncGenerator<ListBatch>
}

/** Rows per statement, about a chunk, which limits decoding and memory. The first parts are smaller. */
const PART_ROWS = 16_384
const FIRST_ROWS = 2048
/** Rows per batch: some milliseconds of work. */
const MOST_ROWS = 2048

/** Reads a whole list by the access path of its pages. Sorted rows are not sorted again. */
export async function wholeList(
  { engine, index }: AccessPaths,
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
    const read = async (offset: number, rows: number): Promise<Iterable<ListBatch>> => {
      if ('range' in logged)
        return await groupBatches(
          byRowNumber,
          plan,
          table.statistics.cut(logged.range, offset, rows),
          at,
          signal,
        )
      const part = toRangesPlan(plan, cutRanges(logged.ranges, offset, rows))
      return [toBatch(await byRowNumber.rows(part, at, signal))]
    }
    return inParts(logged.total, read)
  }
  const keyed = 'key' in choice ? index.rows(table, choice.key, choice.range) : undefined
  if (keyed !== undefined)
    return inParts(keyed.total, async (offset, rows) => [
      toBatch(keyed.read(offset, Math.min(offset + rows, keyed.total))),
    ])
  const total = logged?.total ?? (await engine.count(plan, at, signal))
  async function* batches() {
    for await (const rows of engine.rowBatches(plan, at, signal)) yield* inPieces(toBatch(rows))
  }
  return { total, batches }
}

function inParts(
  total: number,
  read: (offset: number, rows: number) => Promise<Iterable<ListBatch>>,
): WholeList {
  async function* batches() {
    let [first, end] = [0, Math.min(FIRST_ROWS, total)]
    let next = read(first, end)
    while (first < total) {
      const part = await next
      first = end
      end = Math.min(first + PART_ROWS, total)
      if (first < total) {
        next = read(first, end - first)
        // The consumer awaits it later; an early return never does.
        next.catch(() => {})
      }
      for (const batch of part) yield* inPieces(batch)
    }
  }
  return { total, batches }
}

function batchOf(rows: readonly Row[], names: readonly string[]): ListBatch {
  const columns = names.map((name) => [name, rows.map((row) => row[name] ?? null)])
  return { rows: rows.length, shared: {}, columns: Object.fromEntries(columns) }
}

function* inPieces(batch: ListBatch): Generator<ListBatch> {
  for (let first = 0; first < batch.rows; first += MOST_ROWS)
    yield sliced(batch, first, Math.min(first + MOST_ROWS, batch.rows))
}
