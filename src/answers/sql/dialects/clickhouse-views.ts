import { byStorage } from '../../../catalog/by-storage.ts'
import { cast, escapedQuotes, nameIn, type ScriptDialect, type ViewDialect } from './view-dialect.ts'

const micros = (instant: string) => `toUnixTimestamp64Micro(${instant})`

/**
 * ClickHouse. A column holds nulls only if its type is Nullable, and LEFT JOIN fills other columns with zeros and empty
 * texts. Products of decimals are exact or fail. Quotients of decimals are truncated, so integers are divided instead.
 */
const clickhouseViews: ViewDialect = {
  identifier: (name) => `\`${name.replace(/[\\`]/g, '\\$&')}\``,
  literal: escapedQuotes,
  types: {
    ...byStorage({
      text: 'Nullable(String)',
      amount: 'Nullable(Decimal(20, 0))',
      long: 'Nullable(Int64)',
      integer: 'Nullable(Int32)',
      decimal: 'Nullable(Decimal(38, 18))',
      instant: "Nullable(DateTime64(6, 'UTC'))",
      boolean: 'Nullable(Bool)',
      bytes: 'Nullable(String)',
      texts: 'Array(String)',
    }),
    unit: 'Nullable(Decimal(9, 8))',
    tokens: 'Nullable(Decimal(28, 8))',
    price: 'Nullable(Decimal(28, 8))',
    usd: 'Nullable(Decimal(38, 16))',
    count: 'Nullable(Decimal(38, 0))',
    date: 'Nullable(Date32)',
  },
  absent: (type) => cast(type === 'texts' ? '[]' : 'NULL', clickhouseViews.types[type]),
  eachText: (table, column, item) => `${table} ARRAY JOIN ${column} AS ${item}`,
  matched: (text, pattern) => `regexpExtract(${text}, ${escapedQuotes(pattern)}, 1)`,
  leastBy: (value, by) => `argMin(${value}, ${by})`,
  optional: (value) => `toNullable(${value})`,
  quotient: (dividend, divisor) => `intDiv(${dividend}, ${divisor})`,
  dateAfter: (days) => `addDays(toDate32('1970-01-01'), ${days})`,
  instantOf: (seconds) => `toDateTime64(${seconds}, 6, 'UTC')`,
  middleDay: (from, to) => clickhouseViews.dateAfter(`intDiv(${micros(from)} + ${micros(to)}, 172800000000)`),
  usd: (tokens, price) => `${tokens} * ${price}`,
  // ClickHouse evaluates functions for nulls too, on arbitrary values.
  offloadedBytes(amount, price) {
    const divisor = `toInt128(ifNull(${price}, 1)) * 2`
    const bytes = `intDiv(toInt128(${amount}) * 4294967296 + toInt128(${price}), ${divisor})`
    // A decimal accepts integers of this length only as text.
    return `toString(${bytes})`
  },
}

/** Views over the tables in a server folder or at an address that `deltaLake` accepts. */
export function clickhouseScript(location: string, schema: string): ScriptDialect {
  const { identifier, literal } = clickhouseViews
  const named = nameIn([schema], clickhouseViews)
  const read = location.includes('://') ? 'deltaLake' : 'deltaLakeLocal'
  return {
    views: clickhouseViews,
    delta: ({ name }) => `${read}(${literal(`${location}/${name}`)})`,
    stored: (_, column) => identifier(column),
    named,
    createSchema: () => `CREATE DATABASE IF NOT EXISTS ${named()}`,
    createView: ({ name, doc, select }) => [
      `CREATE OR REPLACE VIEW ${named(name)} AS ${select} COMMENT ${literal(doc)}`,
    ],
  }
}
