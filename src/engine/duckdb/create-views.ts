import { identifier, literal } from './duckdb-dialect.ts'

/** A view to create: its SELECT, and what it and its columns mean. */
export interface View {
  readonly name: string
  readonly doc: string
  readonly columns: readonly { readonly name: string; readonly doc: string }[]
  readonly select: string
}

/** Statements that create views, in order, with their comments. */
export function createViews(views: readonly View[]): string {
  const statements = views.flatMap(({ name, doc, columns, select }) => [
    `CREATE VIEW ${identifier(name)} AS ${select}`,
    `COMMENT ON VIEW ${identifier(name)} IS ${literal(doc)}`,
    ...columns.map(
      (column) =>
        `COMMENT ON COLUMN ${identifier(name)}.${identifier(column.name)} IS ${literal(column.doc)}`,
    ),
  ])
  return statements.map((statement) => `${statement};\n`).join('')
}
