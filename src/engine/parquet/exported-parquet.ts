import { parseJsonAs, z } from '../../base/zod.ts'
import { byStorage } from '../../catalog/by-storage.ts'
import type { Resource } from '../../catalog/resource.ts'
import { resourceNamed } from '../../catalog/resources.ts'
import type { ExportedFile } from '../../write/ports/exported-file.ts'
import { FileFault, shorten } from '../../write/wire/faults.ts'
import { columnTypeOf, nullColumns, scanPaths, typeName } from '../duckdb/catalog-sql.ts'
import type { Session } from '../duckdb/session.ts'
import { name, type Sql, sql } from '../duckdb/sql.ts'
import { countSources, openExportedStage, orFileFault, readRecord } from './exported-rows.ts'
import { flatStorage } from './flat-storage.ts'

/** Key of the sources in the footer of a Parquet file. */
export const SOURCES_KEY = 'ledgerlake:sources'

const asIs = (column: Sql) => column

/** Expressions of stored values, from those of an export. */
const stored = byStorage<(column: Sql) => Sql>({
  ...{ text: asIs, long: asIs, integer: asIs, boolean: asIs, decimal: asIs, instant: asIs },
  amount: (column) => sql`${column}::DECIMAL(20,0)`,
  bytes: (column) => sql`from_base64(${column})`,
  texts: (column) => sql`from_json(${column}, '["VARCHAR"]')`,
})

/** Opens the Parquet file of a list; undefined if it records no sources. Errors: FileFault. */
export async function openExportedParquet(session: Session, path: string): Promise<ExportedFile | undefined> {
  const recorded = await orFileFault(readRecords(session, path))
  if (recorded === undefined) return undefined
  const { table, records } = recorded
  const types = new Map(
    await session.tuples<[string, string]>(
      sql`SELECT column_name, column_type FROM (DESCRIBE FROM ${scanPaths([path])})`,
    ),
  )
  const rowsOf = (resource: Resource) =>
    resource === table ? rowsIn(path, types, resource) : sql`(SELECT ${nullColumns(resource)} WHERE false)`
  return {
    records,
    partial: [table],
    readSources: (resource) => orFileFault(countSources(session, resource, rowsOf)),
    readRefused: async () => [],
    openStage: (resource) => openExportedStage(session, resource, rowsOf),
    close: async () => {},
  }
}

const form = z.object({ table: z.string(), sources: z.array(z.unknown()) })

async function readRecords(session: Session, path: string) {
  const [row] = await session.tuples<[string]>(
    sql`SELECT decode(value) FROM parquet_kv_metadata(${path}) WHERE decode(key) = ${SOURCES_KEY}`,
  )
  if (row === undefined) return undefined
  const list = parseJsonAs(form, row[0])
  const table = resourceNamed(list?.table ?? '')
  if (list === undefined || table === undefined)
    throw new FileFault(`${SOURCES_KEY} of its footer is invalid: ${shorten(row[0])}`)
  return { table, records: list.sources.map(readRecord) }
}

/** Errors: FileFault for a column of another type. */
function rowsIn(path: string, types: ReadonlyMap<string, string>, resource: Resource): Sql {
  const selected = Object.entries(resource.columns).map(([column, { kind }]) => {
    const [type, expected] = [types.get(column), typeName(flatStorage[kind].type).text]
    if (type === undefined) return sql`NULL::${columnTypeOf(kind)} AS ${name(column)}`
    if (type !== expected) throw new FileFault(`${column} is ${type}; expected ${expected}`)
    return sql`${stored[kind](name(column))} AS ${name(column)}`
  })
  return sql`(SELECT ${selected} FROM ${scanPaths([path])})`
}
