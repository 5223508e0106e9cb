import { parseExactJson } from '../../../base/values/exact-json.ts'
import { Digits, type Json, writeJson } from '../../../base/values/json-writer.ts'
import { catalogRows, rowTypes, type SessionView } from './catalog-rows.ts'
import { emptyTables } from './empty-tables.ts'
import { DATABASE, filledTables } from './filled-tables.ts'
import { keyRows } from './keys.ts'
import { macroNames, macros } from './macros.ts'
import { type CatalogNames, rewriteTree } from './rewrite-tree.ts'

/** Schemas of the catalog; DuckDB's own have names that nothing can be added to. */
const PG = 'pg_catalog_'
const INFORMATION = 'information_schema_'

const DECLARED = /CREATE TABLE (\S+)/
const declared = [...emptyTables(PG, INFORMATION), ...filledTables(PG, INFORMATION)]

/** Tables and functions of the catalog that a statement may name, with their schema. */
export const catalogTables: ReadonlySet<string> = new Set(
  declared.map((statement) => DECLARED.exec(statement)?.[1] ?? ''),
)
export const catalogFunctions: ReadonlySet<string> = new Set([...macroNames].map((name) => `${PG}.${name}`))

/** Runs a trusted statement. */
type Send = (
  text: string,
  values?: readonly string[],
) => Promise<readonly Readonly<Record<string, unknown>>[]>

/** Creates the catalog of a session, from its views and their comments. Errors: those of DuckDB. */
export async function createCatalog(send: Send): Promise<void> {
  const rows = catalogRows(await viewsOf(send))
  for (const schema of [PG, INFORMATION]) await send(`CREATE SCHEMA ${schema}`)
  for (const [name, types] of Object.entries(rowTypes))
    await send(
      `CREATE TABLE ${PG}.${name} AS SELECT unnest(from_json($1::JSON, '${JSON.stringify([types])}'), recursive := true)`,
      [JSON.stringify(rows[name as keyof typeof rowTypes])],
    )
  const [empty, filled] = [emptyTables(PG, INFORMATION), filledTables(PG, INFORMATION)]
  const [addRelations = '', ...addKeys] = keyRows(PG, INFORMATION)
  await send([...empty, addRelations, ...filled, ...addKeys, ...macros(PG)].join('\n'))
}

async function viewsOf(send: Send): Promise<readonly SessionView[]> {
  const views = await send(
    "SELECT view_name AS name, comment FROM duckdb_views() WHERE NOT internal AND schema_name = 'main' AND NOT starts_with(view_name, '_') ORDER BY view_name",
  )
  const columns = await send(
    "SELECT table_name, column_name AS name, data_type AS type, comment FROM duckdb_columns() WHERE schema_name = 'main' AND NOT internal AND NOT starts_with(table_name, '_') ORDER BY table_name, column_index",
  )
  return views.map(({ name, comment }) => ({
    ...{ name: String(name), comment: comment as string | null },
    columns: columns
      .filter((column) => column.table_name === name)
      .map((column) => ({
        ...{ name: String(column.name), type: String(column.type), comment: column.comment as string | null },
      })),
  }))
}

/** A serialized statement with names of PostgreSQL, moved to those of a session. */
export interface Moved {
  readonly json: string
  readonly usesCatalog: boolean
}

/** Moves names of PostgreSQL in a serialized SELECT; undefined if it has none. */
export function movedNames(
  json: string,
  text: string,
  parameterTypes: CatalogNames['parameterTypes'],
): Moved | undefined {
  const tree = parseExactJson(json, (digits) => new Digits(digits)) as Json
  const matchesParts = !/regexp_full_match/i.test(text)
  const hasBareNumerics = !/\(\s*18\s*,\s*3\s*\)/.test(text)
  const schemas = { pg: PG, information: INFORMATION, tables: catalogTables, database: DATABASE }
  const names = { ...schemas, matchesParts, hasBareNumerics, parameterTypes }
  const { isChanged, usesCatalog } = rewriteTree(tree, names)
  return isChanged ? { json: writeJson(tree), usesCatalog } : undefined
}
