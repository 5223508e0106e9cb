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
 * The original's table: its types, its primary key, its unique key, and one index on each of its columns that are searched. A
 * unique key of its content would drop equal rewards of one file, so here it is made of the place of a row as well.
 */
const originalTable = `
CREATE UNLOGGED TABLE original (
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  start_period timestamp(6) NOT NULL, end_period timestamp(6) NOT NULL,
  reward_type varchar NOT NULL, unallocated_reward_type varchar, hotspot_key varchar,
  beacon_amount numeric(20), witness_amount numeric(20), dc_transfer_amount numeric(20), amount numeric(20),
  file_category varchar NOT NULL, file_name varchar NOT NULL, dedup_key varchar NOT NULL,
  created_at timestamp(6) NOT NULL, updated_at timestamp(6) NOT NULL
);`

const originalIndexes = `
ALTER TABLE original ADD PRIMARY KEY (id);
CREATE UNIQUE INDEX ON original (dedup_key);
CREATE INDEX ON original (file_category, file_name);
CREATE INDEX ON original (hotspot_key);
CREATE INDEX ON original (reward_type);
CREATE INDEX ON original (start_period, end_period);
VACUUM ANALYZE original;`

/**
 * What one would make of it with care: months apart, an index that answers a hotspot alone, sums of each day, and rows that are numbered
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

const shared = `reward_type, unallocated_reward_type, hotspot_key, beacon_amount, witness_amount,
  dc_transfer_amount, amount`
const instant = (column: string) =>
  `strftime(${column} AT TIME ZONE 'UTC', '%Y-%m-%dT%H:%M:%SZ') AS ${column}`

/** The columns of each table as SQL over the files of a month. */
const originalRows = (
  files: string,
) => `SELECT ${instant('start_period')}, ${instant('end_period')}, ${shared},
  'foundation-iot-verified-rewards' AS file_category, source_file AS file_name,
  md5(source_file || ' ' || ordinal) AS dedup_key, '2026-01-01' AS created_at, '2026-01-01' AS updated_at
  FROM ${files}`
const strongRows = (files: string) => `SELECT ${instant('start_period')}, ${instant('end_period')}, ${shared},
  number AS source, id_start || lpad(lower(to_hex(ordinal)), 10, '0') AS id,
  row_number() OVER (PARTITION BY end_period, reward_type ORDER BY number, hotspot_key NULLS FIRST, ordinal) - 1 AS place
  FROM ${files} JOIN sources ON name = source_file ORDER BY 2, reward_type, place`

/** Loads the IoT shares of a lake into both tables, a month after the other. */
export async function loadShares(
  postgres: Postgres,
  duckdb: DuckDBConnection,
  files: readonly ShareFile[],
  sources: readonly ShareSource[],
): Promise<{ readonly original: PostgresTable; readonly strong: PostgresTable }> {
  const months = [...new Set(files.map((file) => file.month))].sort()
  await openSources(duckdb, sources)

  const filesOf = (month: string) => {
    const paths = files.filter((file) => file.month === month).map(({ path }) => `'${path}'`)
    return `read_parquet([${paths.join(', ')}], hive_partitioning = false)`
  }

  async function load(
    table: string,
    create: string,
    rowsOf: (files: string) => string,
    indexes: string,
  ): Promise<PostgresTable> {
    const started = performance.now()
    postgres.run(create)
    const selects = months.map((month) => rowsOf(filesOf(month)))
    await fillTable(postgres, duckdb, table, selects)
    if (table === 'strong') await fillTable(postgres, duckdb, 'sources', [sourceRows])
    postgres.run(indexes)
    const loadSeconds = (performance.now() - started) / 1000
    const size = `SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relkind = 'r' AND relname LIKE '${table}%'`
    return { loadSeconds, bytes: Number(postgres.run(size)) }
  }

  return {
    original: await load('original', originalTable, originalRows, originalIndexes),
    strong: await load('strong', strongTable(months), strongRows, strongIndexes),
  }
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
