import type { Row } from '../catalog/resource.ts'
import { MOST_BATCH_ROWS } from '../engine/engine.ts'
import type { Snapshot } from '../lake/snapshot.ts'
import type { ListPlan, RowsPlan } from '../query/plan.ts'
import { type Answerers, type Choice, placedOf } from './choose.ts'
import { groupRows } from './group-rows.ts'
import type { Pages } from './pages.ts'

/** All rows of a list in their order, and how many they are. */
export interface WholeList {
  readonly total: number
  /** At most `MOST_BATCH_ROWS` rows at a time, read as they are asked for; the part after the one that is used is read ahead. */
  rows(): AsyncGenerator<readonly Row[]>
}

/** Rows that one statement reads: about a chunk, so that few are decoded in vain and few are held. */
const PART_ROWS = 16_384

/** Reads a whole list from what was chosen for its pages. Nothing is sorted where rows lie in order already. */
export async function wholeList(
  { engine, index }: Answerers,
  pages: Pages,
  choice: Choice,
  plan: ListPlan,
  at: Snapshot,
  signal?: AbortSignal,
): Promise<WholeList> {
  const table = at.table(plan.resource)
  const part = (offset: number, limit: number): RowsPlan => ({ ...plan, offset, limit })
  if (choice.by === 'placed') {
    const { range } = choice
    const read = (offset: number) => {
      const groups = table.statistics.cut(range, offset, PART_ROWS)
      return groupRows(placedOf(engine), plan, groups, at, signal)
    }
    return inParts(table.statistics.count(range), read)
  }
  const keyed = choice.by === 'hotspot-index' ? index.rows(table, choice.key, choice.range) : undefined
  if (keyed !== undefined)
    return inParts(keyed.total, async (offset) =>
      keyed.read(offset, Math.min(offset + PART_ROWS, keyed.total)),
    )
  if (choice.by === 'search' && plan.where.length === 0) {
    const read = async (offset: number) =>
      (await pages.read(choice, part(offset, PART_ROWS), at, signal)).rows
    return inParts(table.rows, read)
  }
  return {
    total: await engine.count(plan, at, signal),
    rows: () => batchesOf(engine.rowBatches(plan, at, signal)),
  }
}

function inParts(total: number, read: (offset: number) => Promise<readonly Row[]>): WholeList {
  async function* rows() {
    let next = read(0)
    for (let offset = 0; offset < total; offset += PART_ROWS) {
      const part = await next
      if (offset + PART_ROWS < total) {
        next = read(offset + PART_ROWS)
        // It is awaited in the next turn, unless nobody asks again.
        next.catch(() => {})
      }
      yield* split(part)
    }
  }
  return { total, rows }
}

async function* batchesOf(batches: AsyncIterable<readonly Row[]>): AsyncGenerator<readonly Row[]> {
  for await (const batch of batches) yield* split(batch)
}

function* split(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let first = 0; first < rows.length; first += MOST_BATCH_ROWS)
    yield rows.slice(first, first + MOST_BATCH_ROWS)
}
