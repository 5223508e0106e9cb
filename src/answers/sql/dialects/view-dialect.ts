import type { FlatType } from '../../../catalog/records/flat-columns.ts'

/** Text of SQL for one engine, in which whatever name or value is in it has been quoted. */
type Expression = string

/** The few things in which engines differ that have the same views. */
export interface ViewDialect {
  readonly identifier: (name: string) => Expression
  readonly literal: (text: string) => Expression
  /** Types that hold null too; none of them is a double. `unit` is what a base unit is of a token. */
  readonly types: Readonly<Record<FlatType | 'unit', string>>
  /** A null of the type; an empty list where an engine has no null for lists. */
  readonly absent: (type: FlatType) => Expression
  /** FROM item: each row of a table once for each text of its list `column`, as `item`. */
  readonly eachText: (table: Expression, column: Expression, item: Expression) => Expression
  /** What the one group of a pattern matches in a text; empty when nothing matches. */
  readonly matched: (text: Expression, pattern: string) => Expression
  /** `value` of the row of a group whose `by` is least. */
  readonly leastBy: (value: Expression, by: Expression) => Expression
  /** A value that a LEFT JOIN makes null where nothing is joined. */
  readonly optional: (value: Expression) => Expression
  /** The UTC day in which the middle between two instants lies. */
  readonly middleDay: (from: Expression, to: Expression) => Expression
  /**
   * The exact product of whole tokens and their price, up to `DECIMAL(38,16)`. `unit` is what a base unit is of a token, such
   * as 0.000001: neither factor has more digits after the point.
   */
  readonly usd: (tokens: Expression, price: Expression, unit: Expression) => Expression
  /** Bytes that an amount stands for: amount * 2^31 / price, rounded half up; null without a price. */
  readonly offloadedBytes: (amount: Expression, price: Expression) => Expression
}

export const cast = (value: Expression, type: string): Expression => `CAST(${value} AS ${type})`

/** What a base unit is of a token that has so many digits after the point: 0.000001 for 6. */
export const unitOf = (digits: number): string => `0.${'1'.padStart(digits, '0')}`

/** A literal in which a quote is written twice and nothing else means anything. */
export const doubledQuotes = (text: string): Expression => `'${text.replaceAll("'", "''")}'`

/** A literal of engines that take a backslash for the beginning of an escape. */
export const escapedQuotes = (text: string): Expression => `'${text.replace(/[\\']/g, '\\$&')}'`
