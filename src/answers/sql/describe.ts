import { sql } from '../../engine/duckdb/sql.ts'

type Node = Readonly<Record<string, unknown>>

/**
 * Returns the statement that replaces `SHOW TABLES` or `DESCRIBE` of a table and adds comments; undefined for other
 * trees.
 */
export function describing(tree: unknown): string | undefined {
  const { from_table: from } = tree as { readonly from_table?: Node | null }
  if (from?.type !== 'SHOW_REF') return undefined
  if (from.show_type === 'SHOW_UNQUALIFIED')
    return "SELECT view_name AS name, comment FROM duckdb_views() WHERE NOT internal AND NOT starts_with(view_name, '_') ORDER BY view_oid"
  const query = from.query as Node
  const table = query.from_table as Node | null
  if (from.show_type !== 'DESCRIBE' || table?.type !== 'BASE_TABLE' || !selectsAll(query, table))
    return undefined
  const name = String(table.table_name).toLowerCase()
  return sql`SELECT column_name, data_type AS column_type, comment FROM duckdb_columns() WHERE table_name = ${name}
    ORDER BY column_index`.text
}

/** True if a query selects all columns of its table under their names. */
function selectsAll({ select_list, cte_map }: Node, { column_name_alias }: Node): boolean {
  const [star, ...remaining] = select_list as readonly Node[]
  const lists = [
    (cte_map as { readonly map: readonly unknown[] }).map,
    column_name_alias,
    ...['exclude_list', 'replace_list', 'qualified_exclude_list', 'rename_list'].map((name) => star?.[name]),
  ] as readonly (readonly unknown[])[]
  const isStar = star?.type === 'STAR' && star.expr === null && remaining.length === 0
  return isStar && lists.every((list) => list.length === 0)
}
