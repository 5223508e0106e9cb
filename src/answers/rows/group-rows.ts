import { joinRanges } from '../../catalog/query/join-ranges.ts'
import type { RowsPlan } from '../../catalog/query/plan.ts'
import { toRangesPlan } from '../../catalog/query/to-plan.ts'
import { wholeRecordColumns } from '../../catalog/records/record.ts'
import type { Row } from '../../catalog/resource.ts'
import { type ColumnBatch, MOST_BATCH_ROWS, type RowNumberReads } from '../../engine/engine.ts'
import type { RowBlocks } from '../../index/row-blocks.ts'
import { type GroupKey, type GroupRows, groupColumns } from '../../lake/facts/group-series.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'

/** Adjacent rows; all have the values of `shared`. */
export interface ListBatch extends ColumnBatch {
  readonly shared: Row
}

/** The plan without the columns that a whole group shares. */
function toRead(plan: Pick<RowsPlan, 'resource' | 'columns'>, groups: readonly GroupRows[]) {
  const shared = Object.entries(groupColumns(plan.resource)).filter(([name]) => plan.columns.includes(name))
  const columns = plan.columns.filter((column) => !shared.some(([name]) => name === column))
  const valuesOf = (group: GroupKey) =>
    Object.fromEntries(shared.map(([column, key]) => [column, group[key]]))
  return { rangePlan: toRangesPlan({ ...plan, columns }, joinRanges(groups)), valuesOf }
}

/** Reads rows of groups. Shared columns need no file. */
export async function groupRows(
  byRowNumber: RowNumberReads,
  plan: Pick<RowsPlan, 'resource' | 'columns'>,
  groups: readonly GroupRows[],
  at: Snapshot,
  signal?: AbortSignal,
): Promise<readonly Row[]> {
  const { rangePlan, valuesOf } = toRead(plan, groups)
  const rows = rangePlan.columns.length === 0 ? blank(groups) : await byRowNumber.rows(rangePlan, at, signal)
  // Other requests may share these rows. Spreading both objects takes five times as long.
  return withShared(rows, groups, valuesOf, (row, values) => Object.assign({}, row, values))
}

/** Reads rows of groups from indexes; undefined if they do not have all rows. */
export function peekGroupRows(
  blocks: Pick<RowBlocks, 'rows'>,
  plan: Pick<RowsPlan, 'resource' | 'columns'>,
  groups: readonly GroupRows[],
): readonly Row[] | undefined {
  const { rangePlan, valuesOf } = toRead(plan, groups)
  const rows =
    rangePlan.columns.length === 0 ? blank(groups) : blocks.rows(rangePlan.ranges, rangePlan.columns)
  // These rows were just made and are not shared.
  return rows && withShared(rows, groups, valuesOf, Object.assign)
}

function withShared(
  rows: readonly Row[],
  groups: readonly GroupRows[],
  valuesOf: (group: GroupKey) => Row,
  join: (row: Row, values: Row) => Row,
): readonly Row[] {
  let next = 0
  return groups.flatMap(({ group, first, end }) => {
    const values = valuesOf(group)
    const groupRows = rows.slice(next, next + end - first)
    next += end - first
    return groupRows.map((row) => join(row, values))
  })
}

const blank = (groups: readonly GroupRows[]): readonly Row[] =>
  groups.flatMap(({ first, end }) => Array.from({ length: end - first }, () => ({})))

/** Streams rows of groups as columns; a batch has rows of one group. */
export async function* groupBatches(
  byRowNumber: RowNumberReads,
  plan: Pick<RowsPlan, 'resource' | 'columns'>,
  groups: readonly GroupRows[],
  at: Snapshot,
  signal?: AbortSignal,
): AsyncGenerator<ListBatch> {
  const { rangePlan, valuesOf } = toRead(plan, groups)
  const [...remainingGroups] = groups
  let remaining = 0
  let shared: Row = {}
  const batches =
    rangePlan.columns.length === 0 ? blankBatches(groups) : byRowNumber.columns(rangePlan, at, signal)
  for await (const batch of batches) {
    for (let from = 0; from < batch.rows; ) {
      while (remaining === 0) {
        const next = remainingGroups.shift()
        if (next === undefined) throw new Error('there are more rows than the log counts')
        remaining = next.end - next.first
        shared = valuesOf(next.group)
      }
      const rows = Math.min(remaining, batch.rows - from)
      yield { ...sliced(batch, from, from + rows), shared }
      remaining -= rows
      from += rows
    }
  }
}

function* blankBatches(groups: readonly GroupRows[]): Generator<ColumnBatch> {
  for (const { first, end } of groups)
    for (let from = first; from < end; from += MOST_BATCH_ROWS)
      yield { rows: Math.min(MOST_BATCH_ROWS, end - from), columns: {} }
}

/** Rows `first` to `end`, exclusive. */
export function sliced<B extends ColumnBatch>(batch: B, first: number, end: number): B {
  if (first === 0 && end === batch.rows) return batch
  const columns = Object.entries(batch.columns).map(([name, values]) => [name, values.slice(first, end)])
  return { ...batch, rows: end - first, columns: Object.fromEntries(columns) }
}

/** Drops the columns that no record of these groups needs. */
export function forRecords(plan: RowsPlan, groups: readonly GroupRows[]): RowsPlan {
  const types = new Set(groups.map(({ group }) => group.type))
  return { ...plan, columns: wholeRecordColumns(plan.resource, types) }
}
