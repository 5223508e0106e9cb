import type { Value } from '../column.ts'
import type { Resource } from '../resource.ts'

/**
 * A comparison of one column with one value of the column's kind. Ends of ranges are included.
 * anyOf: a text equals one of several, or a list of texts contains one of them.
 */
export interface Predicate<Name extends string = string> {
  readonly column: Name
  readonly match: 'equals' | 'atLeast' | 'atMost' | 'anyOf'
  readonly value: NonNullable<Value>
}

/** Predicates for values between two bounds, inclusive. */
export function between(
  column: string,
  first: NonNullable<Value>,
  last: NonNullable<Value>,
): readonly Predicate[] {
  return [
    { column, match: 'atLeast', value: first },
    { column, match: 'atMost', value: last },
  ]
}

/** Predicates for rows with one of these keys; none for all keys. */
export function whereKeys(column: string, keys: readonly string[] | undefined): readonly Predicate[] {
  const [only] = keys ?? []
  if (keys === undefined) return []
  if (keys.length === 1 && only !== undefined) return [{ column, match: 'equals', value: only }]
  return [{ column, match: 'anyOf', value: keys }]
}

/** Rows `first` up to but not including `end` of one file, by their position in it. */
export interface RowRange {
  readonly file: string
  readonly first: number
  readonly end: number
}

/** A position in the order of a resource: the value of each ordering column. */
export type Position = readonly Value[]

/** Rows that satisfy every predicate, between two positions that are excluded. */
export interface CountPlan<Name extends string = string> {
  readonly resource: Resource
  readonly where: readonly Predicate<Name>[]
  readonly after?: Position
  readonly before?: Position
}

/** Matching rows in the order of the resource. */
export interface ListPlan<Name extends string = string> extends CountPlan<Name> {
  readonly columns: readonly Name[]
}

/** Matching rows from `offset`, at most `limit`. */
export interface RowsPlan<Name extends string = string> extends ListPlan<Name> {
  readonly limit: number
  readonly offset: number
  /** True to take the last rows, in the same order. */
  readonly fromEnd?: true
}

/** Matching rows within ranges of files. */
export interface RangeCountPlan extends CountPlan {
  readonly ranges: readonly RowRange[]
}

/** Matching rows of consecutive ranges, from `offset`, at most `limit`. */
export interface RangeRowsPlan extends RangeCountPlan, Pick<RowsPlan, 'columns' | 'limit' | 'offset'> {}

/** A sum of a column, or of the offloaded bytes computed from it and the price of the manifest. */
export interface Sum {
  readonly column: string
  readonly as: 'amount' | 'offloaded_bytes'
}

/** Sums over the matching rows for each value of `groupBy`. */
export interface SumsPlan extends CountPlan {
  readonly sums: Readonly<Record<string, Sum>>
  readonly groupBy: readonly string[]
  /** Manifest price by source file; rows of other sources have no offloaded bytes. */
  readonly prices: ReadonlyMap<string, bigint>
  /** Steps of a numeric column, by their first values in ascending order, which groups have as `step`. Rows before the first step are left out. */
  readonly steps?: { readonly of: string; readonly starts: readonly bigint[] }
  /** Keep the groups with the greatest total of these sums over all steps; ties sort by group values. */
  readonly greatest?: { readonly of: readonly string[]; readonly limit: number }
}
