import fc from 'fast-check'

/** A SELECT whose rows have one order, with values of its parameters. */
export interface DrawnStatement {
  readonly query: string
  readonly values: readonly (string | null)[]
}

/** Columns by table: those to group by, and those to add up. */
const tables = {
  iot_reward_shares: [
    ['reward_type', 'month', 'end_period'],
    ['beacon_amount', 'witness_amount'],
  ],
  mobile_reward_shares: [
    ['reward_type', 'month', 'end_period'],
    ['dc_transfer_reward', 'price'],
  ],
  iot_rewards: [
    ['token', 'reward_type', 'paid_day', 'hotspot_name'],
    ['earned', 'formatted_earned', 'usd'],
  ],
  mobile_rewards: [
    ['token', 'paid_day', 'maker_name'],
    ['earned', 'usd', 'offloaded_bytes'],
  ],
  hotspots: [
    ['name', 'owner', 'iot_is_active'],
    ['iot_location % 1000', 'mobile_location'],
  ],
  l1_rewards: [['type', 'time'], ['amount']],
} as const

/** Values at the edges of their types. */
const literals = [
  ["'9223372036854775807'::BIGINT", "'-9223372036854775808'::BIGINT", "'18446744073709551615'::UBIGINT"],
  ["'99999999999999999999999999999999999999'::HUGEINT", "'-1'::HUGEINT", 'NULL::BIGINT'],
  ["'0.1'::DECIMAL(38,18)", "'-123456789012345678.10'::DECIMAL(38,2)", 'NULL::DECIMAL(38,4)'],
  ['\'a,"b"\n;\'', "''", "'😀 é'", 'NULL::VARCHAR', "'null'", "'1.50'"],
  ["TIMESTAMPTZ '1969-12-31 23:59:59+00'", "TIMESTAMPTZ '2025-01-31 00:00:00+00'", 'NULL::TIMESTAMPTZ'],
  [
    "DATE '1900-02-28'",
    "DATE '2400-02-29'",
    'true',
    'false',
    'NULL::BOOLEAN',
    '(-7)::SMALLINT',
    '255::UTINYINT',
  ],
].flat()

const drawnRows = fc
  .record({
    table: fc.constantFrom(...(Object.keys(tables) as (keyof typeof tables)[])),
    columns: fc.nat(),
    limit: fc.integer({ min: 1, max: 40 }),
    value: fc.constantFrom('0', '1', '1000000', '18446744073709551616', '0.5'),
    sums: fc.boolean(),
    negated: fc.boolean(),
  })
  .map(({ table, columns, limit, value, sums, negated }): DrawnStatement => {
    const [keys, amounts] = tables[table]
    const chosen = keys.filter((_, index) => (columns >> index) & 1)
    const amount = amounts[columns % amounts.length] ?? ''
    const where = `${negated ? 'NOT ' : ''}(${amount}) > $1::DECIMAL(38,10)`
    const head = chosen.length === 0 ? '' : `${chosen.join(', ')}, `
    const query = sums
      ? `SELECT ${head}count(*) AS n, sum(${amount})::DECIMAL(38,10) AS s, min(${amount})::DECIMAL(38,10) AS m FROM ${table} WHERE ${where} GROUP BY ALL ORDER BY ALL LIMIT $2`
      : `SELECT ${head}(${amount})::DECIMAL(38,10) AS v FROM ${table} WHERE ${where} ORDER BY ALL LIMIT $2`
    return { query, values: [value, String(limit)] }
  })

const drawnLiterals = fc
  .record({
    chosen: fc.array(fc.constantFrom(...literals), { minLength: 1, maxLength: 6 }),
    text: fc.option(
      fc.string({ unit: 'grapheme', maxLength: 20 }).filter((text) => !/[\0\u007f-\u009f]/.test(text)),
    ),
    rows: fc.integer({ min: 0, max: 3 }),
  })
  .map(({ chosen, text, rows }): DrawnStatement => {
    const columns = chosen.map((literal, index) => `${literal} AS c${index}`)
    return {
      query: `WITH r AS (FROM range($1::BIGINT) t(i)) SELECT i, ${columns.join(', ')}, $2::VARCHAR AS p FROM r ORDER BY i`,
      values: [String(rows), text],
    }
  })

/** Statements over the tables of the small network, and over values at the edges of their types. */
export const drawnStatements: fc.Arbitrary<DrawnStatement> = fc.oneof(
  { arbitrary: drawnRows, weight: 3 },
  { arbitrary: drawnLiterals, weight: 1 },
)
