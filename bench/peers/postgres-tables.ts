import type { DuckDBConnection } from '@duckdb/node-api'
import type { Postgres } from '../support/postgres.ts'
import { fillTable } from './fill-table.ts'
import type { ShareSource } from './share-sources.ts'

/** A file of the IoT shares of a lake. */
export interface ShareFile {
  readonly path: string
  readonly month: string
}

/** What a PostgreSQL spends on one of its tables. */
export interface PostgresTable {
  readonly loadSeconds: number
  /** Table, indexes and what else belongs to them. */
  readonly bytes: number
}

/**
 * Tables made for these requests: months apart, an index that answers a hotspot alone, sums of each day, and rows that are numbered
 * within their day and type, so that no page is counted up to.
 */
const strongTable = (months: readonly string[]) => `
CREATE TABLE strong (
  id uuid NOT NULL, start_period timestamptz NOT NULL, end_period timestamptz NOT NULL,
  beacon_amount bigint, witness_amount bigint, dc_transfer_amount bigint, amount bigint,
  source integer NOT NULL, place integer NOT NULL, reward_type text NOT NULL, unallocated_reward_type text, hotspot_key text
) PARTITION BY RANGE (end_period);
${months
  .map((month) => {
    const bounds = `FROM ('${month}-01T00:00:00Z') TO (timestamptz '${month}-01T00:00:00Z' + interval '1 month')`
    return `CREATE UNLOGGED TABLE "strong_${month}" PARTITION OF strong FOR VALUES ${bounds};`
  })
  .join('\n')}
CREATE TABLE sources (number integer PRIMARY KEY, name text NOT NULL, manifest text NOT NULL, decimals integer NOT NULL);`

const strongIndexes = `
CREATE INDEX ON strong (hotspot_key, end_period)
  INCLUDE (reward_type, beacon_amount, witness_amount, dc_transfer_amount, amount);
CREATE UNIQUE INDEX ON strong (end_period, reward_type, place);
CREATE INDEX ON strong (reward_type, end_period, place);
CREATE TABLE strong_days AS
  SELECT end_period, reward_type, count(*)::bigint AS rows, sum(beacon_amount)::bigint AS beacon_amount,
    sum(witness_amount)::bigint AS witness_amount, sum(dc_transfer_amount)::bigint AS dc_transfer_amount,
    sum(amount)::bigint AS amount
  FROM strong GROUP BY end_period, reward_type;
CREATE UNIQUE INDEX ON strong_days (end_period, reward_type);
VACUUM ANALYZE strong;
VACUUM ANALYZE strong_days;
VACUUM ANALYZE sources;
CHECKPOINT;`

const instant = (column: string) =>
  `strftime(${column} AT TIME ZONE 'UTC', '%Y-%m-%dT%H:%M:%SZ') AS ${column}`

/** The columns of a table as SQL over the files of a month. */
const strongRows = (files: string) => `SELECT ${instant('start_period')}, ${instant('end_period')},
  reward_type, unallocated_reward_type, hotspot_key, beacon_amount, witness_amount, dc_transfer_amount, amount,
  number AS source, id_start || lpad(lower(to_hex(ordinal)), 10, '0') AS id,
  row_number() OVER (PARTITION BY end_period, reward_type ORDER BY number, hotspot_key NULLS FIRST, ordinal) - 1 AS place
  FROM ${files} JOIN sources ON name = source_file ORDER BY 2, reward_type, place`

/** Loads the IoT shares of a lake, a month after the other. */
export async function loadShares(
  postgres: Postgres,
  duckdb: DuckDBConnection,
  files: readonly ShareFile[],
  sources: readonly ShareSource[],
): Promise<PostgresTable> {
  const months = [...new Set(files.map((file) => file.month))].sort()
  await openSources(duckdb, sources)
  const started = performance.now()
  postgres.run(strongTable(months))
  const selects = months.map((month) => {
    const paths = files.filter((file) => file.month === month).map(({ path }) => `'${path}'`)
    return strongRows(`read_parquet([${paths.join(', ')}], hive_partitioning = false)`)
  })
  await fillTable(postgres, duckdb, 'strong', selects)
  await fillTable(postgres, duckdb, 'sources', [sourceRows])
  postgres.run(strongIndexes)
  const loadSeconds = (performance.now() - started) / 1000
  const size =
    "SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relkind = 'r' AND relname LIKE 'strong%'"
  return { loadSeconds, bytes: Number(postgres.run(size)) }
}

const sourceRows = 'SELECT number, name, manifest, decimals FROM sources'

/** Sources are numbered in the order of their names, so that the numbers order rows as the names do. */
async function openSources(duckdb: DuckDBConnection, sources: readonly ShareSource[]): Promise<void> {
  await duckdb.run(
    'CREATE TEMP TABLE sources (number INTEGER, name VARCHAR, id_start VARCHAR, manifest VARCHAR, decimals INTEGER)',
  )
  const appender = await duckdb.createAppender('sources')
  for (const [number, { name, idStart, manifest, decimals }] of sources.entries()) {
    appender.appendInteger(number)
    for (const text of [name, idStart, manifest]) appender.appendVarchar(text)
    appender.appendInteger(decimals)
    appender.endRow()
  }
  appender.closeSync()
}
