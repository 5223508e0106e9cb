import { Session, type SessionOptions } from '../session.ts'
import { joined, name, type Sql, sql } from '../sql.ts'
import { commentsOn, createViews, type View } from './views.ts'

export interface TableRows {
  readonly name: string
  readonly rows: number
}

/** Content of a DuckDB file. */
export interface DatabaseContent {
  /** Views in the catalog `memory`, from which the tables select. The file does not have them. */
  readonly sources: readonly View[]
  /** Written in order; a table may select from those before it. */
  readonly tables: readonly View[]
  readonly views: readonly View[]
  /** The last tables, which describe the others. */
  readonly records: (rows: readonly TableRows[]) => readonly View[]
}

/**
 * Writes a DuckDB file in the storage format of DuckDB 1.0, table by table, within the memory of the session. Returns
 * the rows of each table. Errors: those of DuckDB; the reason of the signal.
 */
export async function writeDatabaseFile(
  path: string,
  { sources, tables, views, records }: DatabaseContent,
  options: SessionOptions,
): Promise<readonly TableRows[]> {
  const session = await Session.open(options)
  try {
    await session.run(createViews(sources))
    await session.run(sql`ATTACH ${path} AS written (STORAGE_VERSION 'v1.0.0')`)
    await session.run(sql`USE written`)
    const rows: TableRows[] = []
    for (const table of tables) {
      options.signal?.throwIfAborted()
      await session.run(createTable(table))
      const count = sql`SELECT count(*) FROM ${name(table.name)}`
      rows.push({ name: table.name, rows: await session.number(count) })
    }
    for (const record of records(rows)) await session.run(createTable(record))
    await session.run(createViews(views))
    await session.run(sql`USE memory`)
    await session.run(sql`DETACH written`)
    return rows
  } catch (error) {
    options.signal?.throwIfAborted()
    throw error
  } finally {
    session.close()
  }
}

function createTable(table: View): Sql {
  const create = sql`CREATE TABLE ${name(table.name)} AS ${table.select};`
  return joined([create, ...commentsOn('TABLE', table)], ' ')
}
