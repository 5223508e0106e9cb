import { between, type ListPlan, type Predicate } from '../../catalog/query/plan.ts'
import type { Resource } from '../../catalog/resource.ts'
import { leadingColumn, sortedBy } from '../../index/orders.ts'
import type { OpenOrder, RowBlocks } from '../../index/row-blocks.ts'
import type { TableSnapshot } from '../../lake/snapshot/snapshot.ts'
import { narrowTable } from '../rows/blocked-rows.ts'
import { IndexSearch } from '../rows/index-search.ts'

/** Rows with a text between two bounds, inclusive, and further predicates. */
export interface TextRange {
  readonly resource: Resource
  readonly column: string
  readonly from: string
  readonly to: string
  readonly columns: readonly string[]
  readonly predicates: readonly Predicate[]
}

/** Plan with the rows ordered by the column first. */
export function planOfRange({ resource, column, from, to, columns, predicates }: TextRange): ListPlan {
  const where = [...between(column, from, to), ...predicates]
  return { resource: sortedBy(resource, column), where, columns }
}

/** Returns undefined if no index is sorted by the column. Errors: DamagedFile. */
export function searchByText(
  blocks: RowBlocks,
  table: TableSnapshot,
  range: TextRange,
): IndexSearch | undefined {
  const { resource, where } = planOfRange(range)
  if (isLeading(range)) {
    const segments = narrowTable(blocks, table, where)
    return segments && new IndexSearch(resource, segments)
  }
  const order = orderFor(blocks, table, range)
  const narrowed = order && blocks.narrow(order.key, where)
  const { first = 0, end = 0 } = narrowed ?? {}
  const rows = narrowed?.scan({ first, end, matching: undefined })
  return rows && new IndexSearch(resource, [{ pieces: [rows] }])
}

export function isSortedBy(blocks: RowBlocks, table: TableSnapshot, range: TextRange): boolean {
  return isLeading(range)
    ? table.files.every(({ rows, path }) => rows === 0 || blocks.has(path))
    : orderFor(blocks, table, range) !== undefined
}

const isLeading = ({ resource, column }: TextRange) => leadingColumn(resource) === column

function orderFor(
  blocks: RowBlocks,
  table: TableSnapshot,
  { column, columns, predicates }: TextRange,
): OpenOrder | undefined {
  const needed = [...columns, ...predicates.map((predicate) => predicate.column)]
  return blocks
    .ordersOf(table)
    .find((order) => order.column === column && needed.every((name) => name in order.resource.columns))
}
