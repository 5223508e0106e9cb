import { DuckDBInstance } from '@duckdb/node-api'
import { joined, name, type Sql, sql } from '../sql.ts'
import { appendRows, createRowsTable, type RowsTable } from './rows-table.ts'

/** A view: its SELECT and comments. */
export interface View {
  readonly name: string
  readonly doc: string
  readonly columns: readonly { readonly name: string; readonly doc: string }[]
  readonly select: Sql
}

/** Statements that create views in order, with comments. */
export function createViews(views: readonly View[]): Sql {
  const statements = views.flatMap((view) => [
    sql`CREATE OR REPLACE VIEW ${name(view.name)} AS ${view.select};`,
    ...commentsOn('VIEW', view),
  ])
  return joined(statements, ' ')
}

/** Statements that comment a view or a table, and its columns. */
export function commentsOn(what: 'VIEW' | 'TABLE', view: View): readonly Sql[] {
  const isOn = what === 'VIEW' ? sql`COMMENT ON VIEW` : sql`COMMENT ON TABLE`
  return [
    sql`${isOn} ${name(view.name)} IS ${view.doc};`,
    ...view.columns.map(
      (column) => sql`COMMENT ON COLUMN ${name(view.name)}.${name(column.name)} IS ${column.doc};`,
    ),
  ]
}

/** Writes a DuckDB file of views and their tables in the storage format of DuckDB 1.0. Errors: those of DuckDB. */
export async function writeViewsFile(
  path: string,
  views: readonly View[],
  tables: readonly RowsTable[],
): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:', {
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  })
  try {
    const connection = await instance.connect()
    const run = (statement: Sql) => connection.run(statement.text)
    await run(sql`ATTACH ${path} AS written (STORAGE_VERSION 'v1.0.0')`)
    await run(sql`USE written`)
    for (const table of tables) {
      await createRowsTable(connection, table)
      await appendRows(connection, table, 'written')
    }
    await run(createViews(views))
    await run(sql`USE memory`)
    await run(sql`DETACH written`)
    connection.closeSync()
  } finally {
    instance.closeSync()
  }
}
