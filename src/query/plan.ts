import type { Value } from '../catalog/column.ts'
import type { Resource } from '../catalog/resource.ts'

/** A comparison of one column with one value of the column's kind. Ends of ranges are included. */
export interface Predicate {
  readonly column: string
  readonly match: 'equals' | 'atLeast' | 'atMost'
  readonly value: NonNullable<Value>
}

/** Rows `first` up to but not including `end` of one file, by their position in it. */
export interface RowRange {
  readonly file: string
  readonly first: number
  readonly end: number
}

/** The rows that satisfy every predicate. */
export interface CountPlan {
  readonly resource: Resource
  readonly where: readonly Predicate[]
}

/** Matching rows in the order of the resource, from `offset` on, at most `limit`. */
export interface RowsPlan extends CountPlan {
  readonly columns: readonly string[]
  readonly limit: number
  readonly offset: number
  /** Says where exactly these rows lie, when the log knows: the same rows as `where`, `limit` and `offset`. */
  readonly ranges?: readonly RowRange[]
}

/** A sum over a column, or over the offloaded bytes that follow from it and the price of its manifest. */
export interface Sum {
  readonly column: string
  readonly as: 'amount' | 'offloaded_bytes'
}

/** Sums over the matching rows, one set per value of `groupBy`; without groups exactly one set. */
export interface SumsPlan extends CountPlan {
  readonly sums: Readonly<Record<string, Sum>>
  readonly groupBy: readonly string[]
  /** Manifest price by source file; rows of other sources have no offloaded bytes. */
  readonly prices: ReadonlyMap<string, bigint>
}
