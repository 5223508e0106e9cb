import type { FlatType } from '../../../catalog/records/flat-columns.ts'
import type { Resource } from '../../../catalog/resource.ts'
import type { View } from '../../../engine/duckdb/confined/views.ts'

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
  /** Whole quotient of integers that are not negative. */
  readonly quotient: (dividend: Expression, divisor: Expression) => Expression
  /** Day that begins so many days after 1970-01-01. */
  readonly dateAfter: (days: Expression) => Expression
  /** UTC instant of seconds since 1970. */
  readonly instantOf: (seconds: Expression) => Expression
  /** UTC day of the middle between two instants. */
  readonly middleDay: (from: Expression, to: Expression) => Expression
  /**
   * Exact product of whole tokens and price, up to `DECIMAL(38,16)`; neither factor has more decimals than `unit`.
   */
  readonly usd: (tokens: Expression, price: Expression, unit: Expression) => Expression
  /** amount * 2^31 / price, rounded half up; null without a price. */
  readonly offloadedBytes: (amount: Expression, price: Expression) => Expression
}

/** SELECT of a view in one engine, with comments. */
export interface ViewText extends Omit<View, 'select'> {
  readonly select: string
}

/** Creates views in an engine that reads Delta tables itself. */
export interface ScriptDialect {
  readonly views: ViewDialect
  /** FROM item of the newest version of a table. */
  readonly delta: (resource: Resource) => string
  /** Expression of a stored column, corrected if the engine rounds it. */
  readonly stored: (resource: Resource, column: string) => string
  /** Qualified name of a view, or of its schema. */
  readonly named: (view?: string) => string
  readonly createSchema: () => string
  /** Statements that create or replace a view, with comments. */
  readonly createView: (view: ViewText) => readonly string[]
}

export const cast = (value: Expression, type: string): Expression => `CAST(${value} AS ${type})`

/** Base unit of a token by its decimals: 0.000001 for 6. */
export const unitOf = (digits: number): string => `0.${'1'.padStart(digits, '0')}`

/** Literal with doubled quotes and no escapes. */
export const doubledQuotes = (text: string): Expression => `'${text.replaceAll("'", "''")}'`

/** Literal of engines with backslash escapes. */
export const escapedQuotes = (text: string): Expression => `'${text.replace(/[\\']/g, '\\$&')}'`

/** Types of tokens and USD in engines that name decimals alike. */
export const moneyTypes = {
  unit: 'DECIMAL(9,8)',
  tokens: 'DECIMAL(28,8)',
  price: 'DECIMAL(28,8)',
  usd: 'DECIMAL(38,16)',
  count: 'DECIMAL(38,0)',
  date: 'DATE',
} as const

/** Quoted name of a view, or of its schema; each part is quoted. */
export function nameIn(schema: readonly string[], { identifier }: ViewDialect): ScriptDialect['named'] {
  return (view) => [...schema, ...(view === undefined ? [] : [view])].map(identifier).join('.')
}
