import { DuckDBInstance } from '@duckdb/node-api'
import { createViews, type View } from './create-views.ts'
import { literal } from './duckdb-dialect.ts'

/**
 * Writes a DuckDB file of views, in the oldest storage format that still gets releases, so that other versions open it.
 * Errors: those of DuckDB.
 */
export async function writeViewsFile(path: string, views: readonly View[]): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:', {
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  })
  try {
    const connection = await instance.connect()
    await connection.run(`ATTACH ${literal(path)} AS written (STORAGE_VERSION 'v1.0.0')`)
    await connection.run(`USE written; ${createViews(views)}`)
    await connection.run('USE memory; DETACH written')
    connection.closeSync()
  } finally {
    instance.closeSync()
  }
}
