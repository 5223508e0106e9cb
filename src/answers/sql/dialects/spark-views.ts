import { byStorage } from '../../../catalog/by-storage.ts'
import { rewardTokens } from '../../../catalog/networks.ts'
import {
  cast,
  escapedQuotes,
  moneyTypes,
  nameIn,
  type ScriptDialect,
  unitOf,
  type ViewDialect,
} from './view-dialect.ts'

/** Decimals of all tokens. */
const digits = [...new Set([...rewardTokens.values()].map(({ decimals }) => decimals))]

/**
 * Spark. The product of two decimals has as many digits as both together plus one; beyond 38 Spark silently drops
 * decimals. The view therefore casts factors to the decimals of their token. Days count from 1970, since a cast to a date
 * depends on the session's time zone.
 */
const sparkViews: ViewDialect = {
  identifier: (name) => `\`${name.replaceAll('`', '``')}\``,
  literal: escapedQuotes,
  types: {
    ...byStorage({
      text: 'STRING',
      amount: 'DECIMAL(20,0)',
      long: 'BIGINT',
      integer: 'INT',
      decimal: 'DECIMAL(38,18)',
      instant: 'TIMESTAMP',
      boolean: 'BOOLEAN',
      bytes: 'BINARY',
      texts: 'ARRAY<STRING>',
    }),
    ...moneyTypes,
  },
  absent: (type) => `CAST(NULL AS ${sparkViews.types[type]})`,
  eachText: (table, column, item) => `${table} LATERAL VIEW explode(${column}) each_text AS ${item}`,
  matched: (text, pattern) => `regexp_extract(${text}, ${escapedQuotes(pattern)}, 1)`,
  leastBy: (value, by) => `min_by(${value}, ${by})`,
  optional: (value) => value,
  quotient: (dividend, divisor) => `(${dividend} div ${divisor})`,
  dateAfter: (days) => `date_add(DATE '1970-01-01', CAST(${days} AS INT))`,
  instantOf: (seconds) => `timestamp_seconds(${seconds})`,
  middleDay: (from, to) =>
    sparkViews.dateAfter(`(unix_micros(${from}) + unix_micros(${to})) div 172800000000`),
  usd(tokens, price, unit) {
    const cases = digits.map((places) => {
      const product = `${cast(tokens, `DECIMAL(20,${places})`)} * ${cast(price, `DECIMAL(14,${places})`)}`
      return `WHEN ${unitOf(places)} THEN ${cast(product, sparkViews.types.usd)}`
    })
    return `CASE ${unit} ${cases.join(' ')} END`
  },
  // The dividend is a multiple of the divisor, so the quotient is exact and short.
  offloadedBytes(amount, price) {
    const doubled = `${amount} * 4294967296 + ${price}`
    return `(${doubled} - (${doubled}) % (${price} * 2)) / (${price} * 2)`
  },
}

/** Views over the tables at a location, such as `/srv/lake` or `s3a://bucket/lake`. */
export function sparkScript(location: string, schema: string): ScriptDialect {
  const { identifier, literal } = sparkViews
  const named = nameIn([schema], sparkViews)
  return {
    views: sparkViews,
    delta: ({ name }) => `delta.${identifier(`${location}/${name}`)}`,
    stored: (_, column) => identifier(column),
    named,
    createSchema: () => `CREATE SCHEMA IF NOT EXISTS ${named()}`,
    createView({ name, doc, columns, select }) {
      const described = columns.map((column) => `${identifier(column.name)} COMMENT ${literal(column.doc)}`)
      return [
        `CREATE OR REPLACE VIEW ${named(name)} (${described.join(', ')}) COMMENT ${literal(doc)} AS ${select}`,
      ]
    },
  }
}
