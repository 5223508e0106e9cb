import { hotspots } from '../catalog/l2/hotspots.ts'
import { makers } from '../catalog/l2/makers.ts'
import { rewardManifests, tokenDecimals } from '../catalog/l2/reward-manifests.ts'
import type { Resource } from '../catalog/resource.ts'
import {
  type FlatColumn,
  type FlatSource,
  type FlatType,
  flatColumns,
  PRICE_LIMIT,
} from '../derive/flat-columns.ts'
import { columnTypes } from '../engine/duckdb/duckdb-dialect.ts'
import { compiled, joined, name, type Sql, sql } from '../engine/duckdb/sql.ts'

/** The types of flat columns; none of them is a double, or HUGEINT, which Parquet has not. */
const flatTypes: Readonly<Record<FlatType, string>> = {
  ...columnTypes,
  tokens: 'DECIMAL(28,8)',
  price: 'DECIMAL(28,8)',
  usd: 'DECIMAL(38,16)',
  count: 'DECIMAL(38,0)',
  date: 'DATE',
}

const typed = (type: FlatType) => compiled(flatTypes[type])

/**
 * SELECT of the joined view of rewards over the views of the tables; `s` the share, `m` its manifest, `h` its hotspot, `k` the
 * maker of that. What is joined has one row for each key, so that no share is counted twice.
 */
export function rewardSelect(resource: Resource): Sql {
  const columns = flatColumns(resource).map(
    (column) => sql`${expressionOf(column, resource)} AS ${name(column.name)}`,
  )
  return sql`SELECT ${columns} FROM ${name(resource.name)} s
    LEFT JOIN (${manifestOfFile()}) m ON m.written_file = s.source_file
    LEFT JOIN (${hotspotOfKey}) h ON h.ecc_key = ${ofShare(resource.keyed ?? '')}
    LEFT JOIN (${makerOfId}) k ON k.id = h.maker_id`
}

const ofShare = (column: string) => sql`s.${name(column)}`

/** Ids are of REST alone. */
type InView = Exclude<FlatSource['as'], 'id'>

function expressionOf({ type, from }: FlatColumn, resource: Resource): Sql {
  const expressions: {
    readonly [As in InView]: (source: Extract<FlatSource, { as: As }>) => Sql
  } = {
    column: ({ of }) => ofShare(of),
    partition: ({ of }) => ofShare(of),
    // Without the extension for time zones, and so in any DuckDB.
    day: () => sql`make_timestamp((epoch_us(s.start_period) + epoch_us(s.end_period)) // 2)`,
    manifest: ({ of }) => sql`m.${name(of)}`,
    price: () => sql`m.price_usd`,
    sum: ({ of }) => paid(resource, of),
    tokens: ({ of }) => inTokens(resource, of),
    usd: ({ of }) =>
      sql`CASE WHEN m.price < ${PRICE_LIMIT} THEN ${inTokens(resource, of)}::${typed('tokens')} * m.price_usd END`,
    offloaded_bytes: ({ of }) =>
      sql`(${ofShare(of)}::HUGEINT * 4294967296 + m.price::HUGEINT) // (m.price::HUGEINT * 2)`,
    hotspot: ({ of }) => sql`h.${name(of)}`,
    maker: ({ of }) => sql`k.${name(of)}`,
  }
  const expression = expressions[from.as as InView](from as never)
  return from.as === 'column' || from.as === 'partition' ? expression : sql`(${expression})::${typed(type)}`
}

/** One column as it is; of several the sum, where the row pays a hotspot. */
function paid({ keyed = '' }: Resource, of: readonly string[]): Sql {
  const [only = '', ...others] = of
  if (others.length === 0) return ofShare(only)
  const parts = of.map((column) => sql`coalesce(${ofShare(column)}, 0)`)
  return sql`CASE WHEN ${ofShare(keyed)} IS NOT NULL THEN ${joined(parts, ' + ')} END`
}

function inTokens(resource: Resource, of: readonly string[]): Sql {
  return sql`(${paid(resource, of)})::${typed('amount')} * m.unit`
}

/** The manifest of each file that one names: of several the one with the latest time in its name. */
function manifestOfFile(): Sql {
  // What a base unit is of a token, such as 0.000001.
  const units = [...tokenDecimals].map(
    ([token, decimals]) => sql`WHEN ${token ?? ''} THEN ${`0.${'1'.padStart(decimals, '0')}`}`,
  )
  const time = sql`ltrim(regexp_extract(source_file, ${'\\.(\\d+)\\.gz$'}, 1), '0')`
  return sql`SELECT written_file, any_value(epoch) AS epoch, any_value(token) AS token, any_value(unit) AS unit,
    any_value(price) AS price, any_value(price * unit) AS price_usd
    FROM (
      SELECT *, (CASE token ${joined(units, ' ')} END)::DECIMAL(9,8) AS unit
      FROM (
        SELECT * REPLACE (nullif(price, 0) AS price), unnest(written_files) AS written_file
        FROM ${name(rewardManifests.name)}
      )
      QUALIFY row_number() OVER (PARTITION BY written_file ORDER BY length(${time}) DESC, ${time} DESC,
        source_file DESC, end_timestamp DESC, reward_type DESC, ordinal DESC) = 1
    )
    GROUP BY written_file`
}

/** Of several hotspots of a key the first by asset; their names follow from the key. */
const hotspotOfKey = sql`SELECT ecc_key, arg_min(name, asset_id) AS name, arg_min(owner, asset_id) AS owner,
  arg_min(coalesce(maker_id, ''), asset_id) AS maker_id FROM ${name(hotspots.name)} GROUP BY ecc_key`

const makerOfId = sql`SELECT id, arg_min(name, address) AS name FROM ${name(makers.name)} GROUP BY id`
