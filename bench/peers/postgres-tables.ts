import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { Postgres } from '../support/postgres.ts'

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

/** What one would make of it with care: months apart, an index that answers a hotspot alone, and sums of each day. */
const strongTable = (months: readonly string[]) => `
CREATE TABLE strong (
  start_period timestamptz NOT NULL, end_period timestamptz NOT NULL,
  reward_type text NOT NULL, unallocated_reward_type text, hotspot_key text,
  beacon_amount numeric(20), witness_amount numeric(20), dc_transfer_amount numeric(20), amount numeric(20),
  source_file text NOT NULL, ordinal bigint NOT NULL
) PARTITION BY RANGE (end_period);
${months
  .map((month) => {
    const bounds = `FROM ('${month}-01T00:00:00Z') TO (timestamptz '${month}-01T00:00:00Z' + interval '1 month')`
    return `CREATE UNLOGGED TABLE "strong_${month}" PARTITION OF strong FOR VALUES ${bounds};`
  })
  .join('\n')}`

const strongIndexes = `
CREATE INDEX ON strong (hotspot_key, end_period)
  INCLUDE (reward_type, beacon_amount, witness_amount, dc_transfer_amount, amount);
CREATE INDEX ON strong (end_period, reward_type, source_file, hotspot_key NULLS FIRST, ordinal);
CREATE TABLE strong_days AS
  SELECT end_period, reward_type, count(*)::bigint AS rows, sum(beacon_amount) AS beacon_amount,
    sum(witness_amount) AS witness_amount, sum(dc_transfer_amount) AS dc_transfer_amount, sum(amount) AS amount
  FROM strong GROUP BY end_period, reward_type;
CREATE UNIQUE INDEX ON strong_days (end_period, reward_type);
VACUUM ANALYZE strong;
VACUUM ANALYZE strong_days;
CHECKPOINT;`

const shared = `reward_type, unallocated_reward_type, hotspot_key, beacon_amount, witness_amount,
  dc_transfer_amount, amount`
const instant = (column: string) =>
  `strftime(${column} AT TIME ZONE 'UTC', '%Y-%m-%dT%H:%M:%SZ') AS ${column}`

/** The columns of each table as SQL over the files of the lake. */
const originalRows = `SELECT ${instant('start_period')}, ${instant('end_period')}, ${shared},
  'foundation-iot-verified-rewards' AS file_category, source_file AS file_name,
  md5(source_file || ' ' || ordinal) AS dedup_key, '2026-01-01' AS created_at, '2026-01-01' AS updated_at`
const strongRows = `SELECT ${instant('start_period')}, ${instant('end_period')}, ${shared}, source_file, ordinal`

/** Loads the IoT shares of a lake into both tables, a file of each month after the other. */
export async function loadPostgres(
  postgres: Postgres,
  duckdb: DuckDBConnection,
  files: readonly { readonly path: string; readonly month: string }[],
): Promise<{ readonly original: PostgresTable; readonly strong: PostgresTable }> {
  const months = [...new Set(files.map((file) => file.month))].sort()

  async function fill(table: string, select: string): Promise<void> {
    for (const { path } of files) {
      const csv = join(postgres.exchange, 'rows.csv')
      await duckdb.run(
        `COPY (${select} FROM read_parquet('${path}', hive_partitioning = false)) TO '${csv}' (HEADER)`,
      )
      const columns = await namesOf(duckdb, `${select} FROM read_parquet('${path}')`)
      postgres.run(`COPY ${table} (${columns.join(', ')}) FROM '${csv}' (FORMAT csv, HEADER)`)
      rmSync(csv)
    }
  }
  async function load(
    table: string,
    create: string,
    select: string,
    indexes: string,
  ): Promise<PostgresTable> {
    const started = performance.now()
    postgres.run(create)
    await fill(table, select)
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

async function namesOf(duckdb: DuckDBConnection, select: string): Promise<readonly string[]> {
  return (await duckdb.runAndReadAll(`${select} LIMIT 0`)).columnNames()
}
