import { duckdbTypes } from '../../../engine/duckdb/duckdb-dialect.ts'
import { name, sql } from '../../../engine/duckdb/sql.ts'
import { moneyTypes, type ViewDialect } from './view-dialect.ts'

/**
 * DuckDB 1.0 or later, without extensions: days are computed without time zones. No column is a HUGEINT, which Parquet
 * lacks.
 */
export const duckdbViews: ViewDialect = {
  identifier: (text) => name(text).text,
  literal: (text) => sql`${text}`.text,
  types: {
    ...duckdbTypes,
    ...moneyTypes,
  },
  absent: (type) => `CAST(NULL AS ${duckdbViews.types[type]})`,
  eachText: (table, column, item) => `(SELECT *, unnest(${column}) AS ${item} FROM ${table})`,
  matched: (text, pattern) => `regexp_extract(${text}, ${duckdbViews.literal(pattern)}, 1)`,
  leastBy: (value, by) => `arg_min(${value}, ${by})`,
  optional: (value) => value,
  quotient: (dividend, divisor) => `(${dividend} // ${divisor})`,
  dateAfter: (days) => `(DATE '1970-01-01' + CAST(${days} AS INTEGER))`,
  instantOf: (seconds) => `make_timestamptz(${seconds} * 1000000)`,
  middleDay: (from, to) => `make_timestamp((epoch_us(${from}) + epoch_us(${to})) // 2)`,
  usd: (tokens, price) => `${tokens} * ${price}`,
  offloadedBytes: (amount, price) =>
    `(${amount}::HUGEINT * 4294967296 + ${price}::HUGEINT) // (${price}::HUGEINT * 2)`,
}
