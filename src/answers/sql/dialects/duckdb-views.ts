import { duckdbTypes } from '../../../engine/duckdb/duckdb-dialect.ts'
import { name, sql } from '../../../engine/duckdb/sql.ts'
import { moneyTypes, type ViewDialect } from './view-dialect.ts'

/** DuckDB from 1.0 on, without an extension: so days are counted without time zones. HUGEINT is no column, since Parquet has none. */
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
  middleDay: (from, to) => `make_timestamp((epoch_us(${from}) + epoch_us(${to})) // 2)`,
  usd: (tokens, price) => `${tokens} * ${price}`,
  offloadedBytes: (amount, price) =>
    `(${amount}::HUGEINT * 4294967296 + ${price}::HUGEINT) // (${price}::HUGEINT * 2)`,
}
