import {
  exactColumn,
  quoteIdentifier,
  type TrinoSchema,
  tableName,
  trinoTypes,
} from '../../../engine/trino/trino-dialect.ts'
import { doubledQuotes, moneyTypes, nameIn, type ScriptDialect, type ViewDialect } from './view-dialect.ts'

const milliseconds = (instant: string) => `date_diff('millisecond', from_unixtime(0), ${instant})`

/** Trino. Products of decimals are exact or fail, quotients are rounded half up; instants have milliseconds. */
const trinoViews: ViewDialect = {
  identifier: quoteIdentifier,
  literal: doubledQuotes,
  types: {
    ...trinoTypes,
    ...moneyTypes,
  },
  absent: (type) => `CAST(NULL AS ${trinoViews.types[type]})`,
  eachText: (table, column, item) => `${table} CROSS JOIN UNNEST(${column}) AS each_text (${item})`,
  matched: (text, pattern) => `coalesce(regexp_extract(${text}, ${doubledQuotes(pattern)}, 1), '')`,
  leastBy: (value, by) => `min_by(${value}, ${by})`,
  optional: (value) => value,
  quotient: (dividend, divisor) => `(${dividend} / ${divisor})`,
  dateAfter: (days) => `date_add('day', ${days}, DATE '1970-01-01')`,
  instantOf: (seconds) => `CAST(from_unixtime(${seconds}, 'UTC') AS TIMESTAMP(6) WITH TIME ZONE)`,
  middleDay: (from, to) => trinoViews.dateAfter(`(${milliseconds(from)} + ${milliseconds(to)}) / 172800000`),
  usd: (tokens, price) => `${tokens} * ${price}`,
  offloadedBytes: (amount, price) => `${amount} * DECIMAL '2147483648' / ${price}`,
}

/** Views in a separate schema. */
export function trinoScript(tables: TrinoSchema, schema: string): ScriptDialect {
  const named = nameIn([tables.catalog, schema], trinoViews)
  return {
    views: trinoViews,
    delta: (resource) => tableName(tables, resource),
    stored: exactColumn,
    named,
    createSchema: () => `CREATE SCHEMA IF NOT EXISTS ${named()}`,
    createView: ({ name, doc, columns, select }) => [
      `CREATE OR REPLACE VIEW ${named(name)} COMMENT ${doubledQuotes(doc)} AS ${select}`,
      ...columns.map(
        (column) =>
          `COMMENT ON COLUMN ${named(name)}.${quoteIdentifier(column.name)} IS ${doubledQuotes(column.doc)}`,
      ),
    ],
  }
}
