import { type DuckDBConnection, DuckDBDataChunk, VARCHAR } from '@duckdb/node-api'
import { name, sql } from '../sql.ts'

/** A table of texts, with its rows. */
export interface RowsTable {
  readonly name: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | null)[])[]
}

/** Most rows of a chunk of DuckDB. */
const CHUNK_ROWS = 2048

/** Creates the table without its rows. Errors: those of DuckDB. */
export async function createRowsTable(connection: DuckDBConnection, table: RowsTable): Promise<void> {
  const columns = table.columns.map((column) => sql`${name(column)} VARCHAR`)
  await connection.run(sql`CREATE TABLE ${name(table.name)} (${columns})`.text)
}

/** Appends the rows, which takes a tenth of the time of an INSERT. Errors: those of DuckDB. */
export async function appendRows(
  connection: DuckDBConnection,
  { name: table, columns, rows }: RowsTable,
  catalog: string,
): Promise<void> {
  const appender = await connection.createAppender(table, 'main', catalog)
  for (let first = 0; first < rows.length; first += CHUNK_ROWS) {
    const chunk = DuckDBDataChunk.create(columns.map(() => VARCHAR))
    chunk.setRows(rows.slice(first, first + CHUNK_ROWS))
    appender.appendDataChunk(chunk)
  }
  appender.closeSync()
}
