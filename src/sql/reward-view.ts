import { hotspots } from '../catalog/l2/hotspots.ts'
import { makers } from '../catalog/l2/makers.ts'
import { rewardManifests, tokenDecimals } from '../catalog/l2/reward-manifests.ts'
import type { Resource } from '../catalog/resource.ts'
import { type FlatColumn, type FlatSource, type FlatType, flatColumns } from '../derive/flat-columns.ts'
import { columnTypes, identifier, literal } from '../engine/duckdb/duckdb-dialect.ts'

/** The types of flat columns; none of them is a double or HUGEINT, which Parquet has not. */
const flatTypes: Readonly<Record<FlatType, string>> = {
  ...columnTypes,
  tokens: 'DECIMAL(28,8)',
  price: 'DECIMAL(28,8)',
  usd: 'DECIMAL(38,16)',
  count: 'DECIMAL(38,0)',
  date: 'DATE',
}

/** From this price on, USD of the largest amounts would need more than 38 digits. */
const PRICE_LIMIT = '100000000000000'

/**
 * SELECT of the joined view of rewards over the views of the tables; `s` the share, `m` its manifest, `h` its hotspot, `k` the
 * maker of that. What is joined has one row for each key, so that no share is counted twice.
 */
export function rewardSelect(resource: Resource): string {
  const columns = flatColumns(resource).map(
    (column) => `${expressionOf(column, resource)} AS ${identifier(column.name)}`,
  )
  return (
    `SELECT ${columns.join(', ')} FROM ${identifier(resource.name)} s ` +
    `LEFT JOIN (${manifestOfFile}) m ON m.written_file = s.source_file ` +
    `LEFT JOIN (${hotspotOfKey}) h ON h.ecc_key = s.${identifier(resource.keyed ?? '')} ` +
    `LEFT JOIN (${makerOfId}) k ON k.id = h.maker_id`
  )
}

function expressionOf({ type, from }: FlatColumn, resource: Resource): string {
  const expressions: {
    readonly [As in FlatSource['as']]: (source: Extract<FlatSource, { as: As }>) => string
  } = {
    column: ({ of }) => `s.${identifier(of)}`,
    partition: ({ of }) => `s.${identifier(of)}`,
    // Without the extension for time zones, and so in any DuckDB.
    day: () => 'make_timestamp((epoch_us(s.start_period) + epoch_us(s.end_period)) // 2)',
    manifest: ({ of }) => `m.${of}`,
    price: () => 'm.price_usd',
    sum: ({ of }) => paid(resource, of),
    tokens: ({ of }) => inTokens(resource, of),
    usd: ({ of }) =>
      `CASE WHEN m.price < ${PRICE_LIMIT} THEN ${inTokens(resource, of)}::${flatTypes.tokens} * m.price_usd END`,
    offloaded_bytes: ({ of }) =>
      `(s.${identifier(of)}::HUGEINT * 4294967296 + m.price::HUGEINT) // (m.price::HUGEINT * 2)`,
    hotspot: ({ of }) => `h.${of}`,
    maker: ({ of }) => `k.${of}`,
  }
  const expression = expressions[from.as](from as never)
  return from.as === 'column' || from.as === 'partition' ? expression : `(${expression})::${flatTypes[type]}`
}

/** One column as it is; of several the sum, where the row pays a hotspot. */
function paid({ keyed = '' }: Resource, of: readonly string[]): string {
  const [only = '', ...others] = of.map((name) => `s.${identifier(name)}`)
  if (others.length === 0) return only
  const sum = [only, ...others].map((column) => `coalesce(${column}, 0)`).join(' + ')
  return `CASE WHEN s.${identifier(keyed)} IS NOT NULL THEN ${sum} END`
}

function inTokens(resource: Resource, of: readonly string[]): string {
  return `(${paid(resource, of)})::${columnTypes.amount} * m.unit`
}

/** Digits after the point of a token as what a base unit is of it, such as 0.000001. */
const units = [...tokenDecimals].map(
  ([token, decimals]) => `WHEN ${literal(token ?? '')} THEN 0.${'1'.padStart(decimals, '0')}`,
)

const fileTime = "ltrim(regexp_extract(source_file, '\\.(\\d+)\\.gz$', 1), '0')"

/** Of several manifests that name a file the one with the latest time in its name. */
const latest = [`length(${fileTime})`, fileTime, 'source_file', 'end_timestamp', 'reward_type', 'ordinal']

const manifestOfFile =
  'SELECT written_file, any_value(epoch) AS epoch, any_value(token) AS token, any_value(unit) AS unit, ' +
  'any_value(price) AS price, any_value(price * unit) AS price_usd FROM (' +
  `SELECT *, CASE token ${units.join(' ')} END::DECIMAL(9,8) AS unit FROM (` +
  `SELECT * REPLACE (nullif(price, 0) AS price), unnest(written_files) AS written_file FROM ${identifier(rewardManifests.name)}) ` +
  `QUALIFY row_number() OVER (PARTITION BY written_file ORDER BY ${latest.map((by) => `${by} DESC`).join(', ')}) = 1` +
  ') GROUP BY written_file'

/** Of several hotspots of a key the first by asset; their names follow from the key. */
const hotspotOfKey =
  'SELECT ecc_key, arg_min(name, asset_id) AS name, arg_min(owner, asset_id) AS owner, ' +
  `arg_min(coalesce(maker_id, ''), asset_id) AS maker_id FROM ${identifier(hotspots.name)} GROUP BY ecc_key`

const makerOfId = `SELECT id, arg_min(name, address) AS name FROM ${identifier(makers.name)} GROUP BY id`
