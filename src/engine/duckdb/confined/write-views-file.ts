import { DuckDBInstance } from '@duckdb/node-api'
import { type Sql, sql } from '../sql.ts'
import { createViews, type View } from './create-views.ts'

/** Writes a DuckDB file of views in the storage format of DuckDB 1.0. Errors: those of DuckDB. */
export async function writeViewsFile(path: string, views: readonly View[]): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:', {
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  })
  try {
    const connection = await instance.connect()
    const run = (statement: Sql) => connection.run(statement.text)
    await run(sql`ATTACH ${path} AS written (STORAGE_VERSION 'v1.0.0')`)
    await run(sql`USE written`)
    await run(createViews(views))
    await run(sql`USE memory`)
    await run(sql`DETACH written`)
    connection.closeSync()
  } finally {
    instance.closeSync()
  }
}
