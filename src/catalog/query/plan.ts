import type { Value } from '../column.ts'
import type { Resource } from '../resource.ts'

/**
 * A comparison of one column with one value of the column's kind. Ends of ranges are included.
 * anyOf: a text is one of those given, or a list of texts has one of them.
 */
export interface Predicate<Name extends string = string> {
  readonly column: Name
  readonly match: 'equals' | 'atLeast' | 'atMost' | 'anyOf'
  readonly value: NonNullable<Value>
}

/** Rows `first` up to but not including `end` of one file, by their position in it. */
export interface RowRange {
  readonly file: string
  readonly first: number
  readonly end: number
}

/** A place in the order of a resource: the value of each column that it is ordered by. */
export type Position = readonly Value[]

/**
 * The rows that satisfy every predicate and lie between two places, both of them left out. `Name` is a column of the
 * resource, where it is known which resource it is.
 */
export interface CountPlan<Name extends string = string> {
  readonly resource: Resource
  readonly where: readonly Predicate<Name>[]
  readonly after?: Position
  readonly before?: Position
}

/** All matching rows in the order of the resource. */
export interface ListPlan<Name extends string = string> extends CountPlan<Name> {
  readonly columns: readonly Name[]
}

/** Those from `offset` on, at most `limit`. */
export interface RowsPlan<Name extends string = string> extends ListPlan<Name> {
  readonly limit: number
  readonly offset: number
  /** The last rows instead of the first, in the same order. */
  readonly fromEnd?: true
}

/** Of the rows that lie in ranges of files, those that satisfy the rest of the plan. */
export interface PlacedPlan extends CountPlan {
  readonly ranges: readonly RowRange[]
}

/** Matching rows of the ranges, which follow each other, from `offset` on, at most `limit`. */
export interface PlacedRowsPlan extends PlacedPlan, Pick<RowsPlan, 'columns' | 'limit' | 'offset'> {}

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
  /**
   * Steps of a column of numbers, by their first values in ascending order: groups have the first value of their step as `step`.
   * Rows before the first are left out.
   */
  readonly steps?: { readonly of: string; readonly starts: readonly bigint[] }
  /** Only the groups in which the sums named, added up over all steps, are greatest; of equal ones the first by their values. */
  readonly greatest?: { readonly of: readonly string[]; readonly limit: number }
}
