import type { FlatType } from '../../../catalog/records/flat-columns.ts'

/** SQL text of one engine; names and values in it are quoted. */
type Expression = string

/** Differences between engines with the same views. */
export interface ViewDialect {
  readonly identifier: (name: string) => Expression
  readonly literal: (text: string) => Expression
  /** Nullable types; none is a double. `unit` is a base unit of a token. */
  readonly types: Readonly<Record<FlatType | 'unit', string>>
  /** A null of the type; an empty list if the engine has no null lists. */
  readonly absent: (type: FlatType) => Expression
  /** FROM item: a row of the table per text in its list `column`, as `item`. */
  readonly eachText: (table: Expression, column: Expression, item: Expression) => Expression
  /** The match of the only group of a pattern; empty without a match. */
  readonly matched: (text: Expression, pattern: string) => Expression
  /** `value` of the row with the least `by` in a group. */
  readonly leastBy: (value: Expression, by: Expression) => Expression
  /** A value that an unmatched LEFT JOIN sets to null. */
  readonly optional: (value: Expression) => Expression
  /** UTC day of the middle between two instants. */
  readonly middleDay: (from: Expression, to: Expression) => Expression
  /**
   * Exact product of whole tokens and price, up to `DECIMAL(38,16)`; neither factor has more decimals than `unit`.
   */
  readonly usd: (tokens: Expression, price: Expression, unit: Expression) => Expression
  /** amount * 2^31 / price, rounded half up; null without a price. */
  readonly offloadedBytes: (amount: Expression, price: Expression) => Expression
}

export const cast = (value: Expression, type: string): Expression => `CAST(${value} AS ${type})`

/** Base unit of a token by its decimals: 0.000001 for 6. */
export const unitOf = (digits: number): string => `0.${'1'.padStart(digits, '0')}`

/** Literal with doubled quotes and no escapes. */
export const doubledQuotes = (text: string): Expression => `'${text.replaceAll("'", "''")}'`

/** Literal of engines with backslash escapes. */
export const escapedQuotes = (text: string): Expression => `'${text.replace(/[\\']/g, '\\$&')}'`
