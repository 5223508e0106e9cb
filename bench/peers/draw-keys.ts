import type { DuckDBConnection } from '@duckdb/node-api'
import type { Snapshot } from '../../src/lake/snapshot/snapshot.ts'
import type { LookupKind } from './lookups.ts'

/** Different keys from anywhere in a table, the same ones every time, in an order of their own. */
export async function drawKeys(
  duckdb: DuckDBConnection,
  at: Snapshot,
  { resource, column }: LookupKind,
  count: number,
): Promise<readonly string[]> {
  const paths = at.table(resource).files.map(({ path }) => `'${path}'`)
  const reader = await duckdb.runAndReadAll(
    `SELECT ${column} AS key FROM read_parquet([${paths.join(', ')}], hive_partitioning = false)
     ORDER BY hash(${column}), ${column} LIMIT ${count}`,
  )
  return reader.getRowObjectsJS().map(({ key }) => String(key))
}
