import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { Postgres } from '../support/postgres.ts'

/** Copies what DuckDB selects into a table of PostgreSQL that has columns of the same names, one statement after the other. */
export async function fillTable(
  postgres: Postgres,
  duckdb: DuckDBConnection,
  table: string,
  selects: readonly string[],
): Promise<void> {
  for (const select of selects) {
    const csv = join(postgres.exchange, 'rows.csv')
    await duckdb.run(`COPY (${select}) TO '${csv}' (HEADER)`)
    const columns = (await duckdb.runAndReadAll(`${select} LIMIT 0`)).columnNames()
    postgres.run(`COPY ${table} (${columns.join(', ')}) FROM '${csv}' (FORMAT csv, HEADER)`)
    rmSync(csv)
  }
}
