import { rewardTokens } from '../../../catalog/networks.ts'
import type { ScriptDialect } from './script-dialect.ts'
import { cast, escapedQuotes, unitOf, type ViewDialect } from './view-dialect.ts'

/** Digits after the point that tokens have. */
const digits = [...new Set([...rewardTokens.values()].map(({ decimals }) => decimals))]

/**
 * Spark: the product of two decimals has so many digits as both together and one more, and beyond 38 it silently loses those
 * after the point; so factors are made as narrow as their token allows. Days are counted from 1970, since a cast to a date
 * follows the time zone of the session.
 */
const sparkViews: ViewDialect = {
  identifier: (name) => `\`${name.replaceAll('`', '``')}\``,
  literal: escapedQuotes,
  types: {
    text: 'STRING',
    choice: 'STRING',
    amount: 'DECIMAL(20,0)',
    long: 'BIGINT',
    whole: 'BIGINT',
    integer: 'INT',
    decimal: 'DECIMAL(38,18)',
    instant: 'TIMESTAMP',
    seconds: 'BIGINT',
    cell: 'BIGINT',
    uuid: 'STRING',
    boolean: 'BOOLEAN',
    bytes: 'BINARY',
    texts: 'ARRAY<STRING>',
    json: 'STRING',
    object: 'STRING',
    unit: 'DECIMAL(9,8)',
    tokens: 'DECIMAL(28,8)',
    price: 'DECIMAL(28,8)',
    usd: 'DECIMAL(38,16)',
    count: 'DECIMAL(38,0)',
    date: 'DATE',
  },
  absent: (type) => `CAST(NULL AS ${sparkViews.types[type]})`,
  eachText: (table, column, item) => `${table} LATERAL VIEW explode(${column}) each_text AS ${item}`,
  matched: (text, pattern) => `regexp_extract(${text}, ${escapedQuotes(pattern)}, 1)`,
  leastBy: (value, by) => `min_by(${value}, ${by})`,
  optional: (value) => value,
  middleDay: (from, to) =>
    `date_add(DATE '1970-01-01', CAST((unix_micros(${from}) + unix_micros(${to})) div 172800000000 AS INT))`,
  usd(tokens, price, unit) {
    const cases = digits.map((places) => {
      const product = `${cast(tokens, `DECIMAL(20,${places})`)} * ${cast(price, `DECIMAL(14,${places})`)}`
      return `WHEN ${unitOf(places)} THEN ${cast(product, sparkViews.types.usd)}`
    })
    return `CASE ${unit} ${cases.join(' ')} END`
  },
  // The quotient of a multiple is exact, and has few digits after the point.
  offloadedBytes(amount, price) {
    const doubled = `${amount} * 4294967296 + ${price}`
    return `(${doubled} - (${doubled}) % (${price} * 2)) / (${price} * 2)`
  },
}

/** Views over the tables at a location, such as `/srv/lake` or `s3a://bucket/lake`. */
export function sparkScript(location: string, schema: string): ScriptDialect {
  const { identifier, literal } = sparkViews
  const named = (view?: string) => [schema, ...(view === undefined ? [] : [view])].map(identifier).join('.')
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
