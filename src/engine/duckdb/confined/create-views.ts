import { joined, name, type Sql, sql } from '../sql.ts'

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
    sql`CREATE VIEW ${name(view.name)} AS ${view.select};`,
    sql`COMMENT ON VIEW ${name(view.name)} IS ${view.doc};`,
    ...view.columns.map(
      (column) => sql`COMMENT ON COLUMN ${name(view.name)}.${name(column.name)} IS ${column.doc};`,
    ),
  ])
  return joined(statements, ' ')
}
