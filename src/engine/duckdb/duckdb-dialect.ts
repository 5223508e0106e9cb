import { byStorage } from '../../catalog/by-storage.ts'
import type { Kind } from '../../catalog/column.ts'
import type { SqlDialect } from '../sql/dialect.ts'
import { name } from './sql.ts'

/** Parquet column type of each kind. */
export const duckdbTypes = byStorage({
  text: 'VARCHAR',
  amount: 'DECIMAL(20,0)',
  long: 'BIGINT',
  integer: 'INTEGER',
  decimal: 'DECIMAL(38,18)',
  instant: 'TIMESTAMPTZ',
  boolean: 'BOOLEAN',
  bytes: 'BLOB',
  texts: 'VARCHAR[]',
})

/** Escapes *, ? and [ for read_parquet. */
export function filePattern(path: string): string {
  return path.replace(/[*?[]/g, '[$&]')
}

function absent(kind: Kind): string {
  return `NULL::${duckdbTypes[kind]}`
}

export const duckdbDialect: SqlDialect = {
  identifier: (text) => name(text).text,
  bound: (index, kind) => `$${index + 1}::${duckdbTypes[kind]}`,
  // DuckDB 1.5.6 asks the Parquet bloom filter for the escaped text of a BLOB and skips every row group.
  equalBytes: (column, index) => `hex(${column}) = hex($${index + 1}::BLOB)`,
  anyOf: (column, index) => `list_has_any(${column}, $${index + 1})`,
  oneOf: (column, index) => `${column} IN (SELECT unnest($${index + 1}))`,
  files: (index) => `read_parquet($${index + 1}, hive_partitioning = false)`,
  cut: (limit, offset) => `LIMIT ${limit} OFFSET ${offset}`,
  once: 'AS MATERIALIZED',
  absent,
  // The client would return decimals as objects; other kinds are exact.
  selected: (column, kind) => (kind === 'decimal' ? `${column}::VARCHAR` : column),
  sum: (column) => `coalesce(sum(${column}), 0)::HUGEINT`,
  sumOffloadedBytes: (column, price) =>
    `coalesce(sum((${column}::HUGEINT * 4294967296 + ${price}) // (${price} * 2)), 0)::HUGEINT`,
  withStep: (rows, column, index) =>
    `${rows} ASOF JOIN (SELECT unnest($${index + 1}) AS step) steps ON ${column} >= steps.step`,
  prices: (fileIndex, priceIndex) =>
    `(SELECT unnest($${fileIndex + 1}) AS source_file, unnest($${priceIndex + 1}) AS manifest_price)`,
}
