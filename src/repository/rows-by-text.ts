import type { Resource, Row } from '../catalog/resource.ts'
import {
  type Candidate,
  candidatesOf,
  chunksBy,
  chunksOf,
  type Stretch,
  stretchesOf,
} from '../lake/chunk-order.ts'
import type { TableSnapshot } from '../lake/snapshot.ts'
import type { ListPlan, Predicate } from '../query/plan.ts'
import type { TableCopies } from '../sorted-copies/copies-index.ts'
import { leadingColumn } from '../sorted-copies/sorted-tables.ts'
import { type SearchContext, toSearch } from './search.ts'

/** The rows whose text in a column lies between two, both included, and that satisfy other predicates. */
export interface TextRange {
  readonly resource: Resource
  readonly column: string
  readonly from: string
  readonly to: string
  readonly columns: readonly string[]
  readonly others: readonly Predicate[]
}

/** Rows by the values of a column first. */
export function planOfRange({ resource, column, from, to, columns, others }: TextRange): ListPlan {
  const order = [{ column }, ...resource.order.filter((step) => step.column !== column)]
  const where: readonly Predicate[] = [
    { column, match: 'atLeast', value: from },
    { column, match: 'atMost', value: to },
    ...others,
  ]
  return { resource: { ...resource, order }, where, columns }
}

/** The first rows of a range by their texts, at most `limit`; reads no more chunks than these lie in, where the table or what is derived from it is sorted by the column. */
export async function rowsByText(
  { placed, at, sortedCopies, signal }: Omit<SearchContext, 'resource'>,
  range: TextRange,
  limit: number,
): Promise<readonly Row[]> {
  const plan = planOfRange(range)
  const sorted = sortedFor(range, sortedCopies)
  const stretches =
    sorted === undefined ? ofTable(at.table(range.resource), plan) : eachAlone(sorted, plan.where)
  const first = stretches.slice(0, enough(stretches, limit))
  if (first.length === 0) return []
  const isInOrder = sorted !== undefined || isLeading(range)
  const search = toSearch({ where: plan.where, isInOrder }, first, 0)
  return await placed.rows(
    { ...plan, ...search, resource: sorted?.resource ?? plan.resource, limit },
    at,
    signal,
  )
}

/** Whether the rows of a range are found without searching the whole table. */
export function isSortedBy(range: TextRange, sortedCopies: TableCopies | undefined): boolean {
  return isLeading(range) || sortedFor(range, sortedCopies) !== undefined
}

const isLeading = ({ resource, column }: TextRange) => leadingColumn(resource) === column

function sortedFor({ column, columns, others }: TextRange, sortedCopies: TableCopies | undefined) {
  const needed = [...columns, ...others.map((predicate) => predicate.column)]
  const pointers = sortedCopies?.pointers.get(column)
  const isAll = pointers !== undefined && needed.every((name) => name in pointers.resource.columns)
  return isAll ? pointers : sortedCopies?.copies.get(column)
}

type Sorted = NonNullable<ReturnType<typeof sortedFor>>

function eachAlone({ files }: Sorted, where: readonly Predicate[]): readonly Stretch[] {
  return candidatesOf(chunksOf(files), where).map((candidate) => [candidate])
}

/** One stretch of all candidates where the table is sorted by another column. */
function ofTable({ resource, files }: TableSnapshot, { where, resource: { order } }: ListPlan) {
  const leading = leadingColumn(resource)
  const candidates = candidatesOf(chunksBy(files, leading), where)
  if (candidates.length === 0) return []
  return order[0]?.column === leading ? stretchesOf(candidates, leading) : [candidates]
}

/** How many stretches have so many rows for certain; all when none do. */
function enough(stretches: readonly Stretch[], limit: number): number {
  let known = 0
  const last = stretches.findIndex((stretch) => {
    known += stretch.reduce((sum, { matching = 0 }: Candidate) => sum + matching, 0)
    return known >= limit
  })
  return last === -1 ? stretches.length : last + 1
}
