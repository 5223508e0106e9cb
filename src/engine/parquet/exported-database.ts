import { sentenceOf } from '../../base/errors.ts'
import { rejects } from '../../catalog/lake/rejects.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { SourceRecord } from '../../lake/facts/source-record.ts'
import type { RefusedRecord } from '../../write/ports/csv-stage.ts'
import type { ExportedFile } from '../../write/ports/exported-file.ts'
import { FileFault } from '../../write/wire/faults.ts'
import { columnTypeOf, nullColumns, selectColumns } from '../duckdb/catalog-sql.ts'
import { duckdbTypes } from '../duckdb/duckdb-dialect.ts'
import { toRow } from '../duckdb/duckdb-values.ts'
import type { Session } from '../duckdb/session.ts'
import { name, type Sql, sql } from '../duckdb/sql.ts'
import { countSources, openExportedStage, orFileFault, readRecord } from './exported-rows.ts'

/** Table of a database file with its sources. */
export const EXPORTED_SOURCES = '_ledgerlake_sources'

let attached = 0

/**
 * Opens a database file of `export --all`; undefined if it records no sources. Reads tables only: a view could read any
 * file of this machine. Errors: FileFault.
 */
export async function openExportedDatabase(
  session: Session,
  path: string,
): Promise<ExportedFile | undefined> {
  attached += 1
  const database = `exported ${attached}`
  await session.run(sql`ATTACH ${path} AS ${name(database)} (TYPE duckdb, READ_ONLY)`).catch((error) => {
    throw new FileFault(`DuckDB cannot open it: ${sentenceOf(error).split('\n')[0]}`)
  })
  const close = () => session.run(sql`DETACH ${name(database)}`)
  try {
    const tables = await readTables(session, database)
    if (tables.get(EXPORTED_SOURCES)?.get('record') !== 'VARCHAR') {
      await close()
      return undefined
    }
    const rowsOf = (resource: Resource) => rowsIn(tables, database, resource)
    return {
      partial: [],
      records: await readRecords(session, database),
      readSources: (resource) => orFileFault(countSources(session, resource, rowsOf)),
      readRefused: (kind, sourceFile) => orFileFault(readRefused(session, rowsOf(rejects), kind, sourceFile)),
      openStage: (resource) => openExportedStage(session, resource, rowsOf),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Types of the columns of each table. */
type Tables = ReadonlyMap<string, ReadonlyMap<string, string>>

async function readTables(session: Session, database: string): Promise<Tables> {
  const rows = await session.tuples<[string, string, string]>(
    sql`SELECT table_name, column_name, data_type FROM duckdb_columns()
     JOIN duckdb_tables() USING (database_name, schema_name, table_name)
     WHERE database_name = ${database} AND schema_name = 'main'`,
  )
  const tables = new Map<string, Map<string, string>>()
  for (const [table, column, type] of rows)
    tables.set(table, (tables.get(table) ?? new Map<string, string>()).set(column, type))
  return tables
}

async function readRecords(session: Session, database: string): Promise<readonly SourceRecord[]> {
  const rows = await session.tuples<[string]>(
    sql`SELECT record FROM ${tableOf(database, EXPORTED_SOURCES)} ORDER BY table_name, source_file, kind, partition`,
  )
  return rows.map(([record]) => readRecord(JSON.parse(record)))
}

const tableOf = (database: string, table: string) => sql`${name(database)}.main.${name(table)}`

/** Columns that the file lacks are null, as in older files of a lake. Errors: FileFault for a column of another type. */
function rowsIn(tables: Tables, database: string, resource: Resource): Sql {
  const columns = tables.get(resource.name)
  if (columns === undefined) return sql`(SELECT ${nullColumns(resource)} WHERE false)`
  const selected = Object.entries(resource.columns).map(([column, { kind }]) => {
    const type = columns.get(column)
    if (type === undefined) return sql`NULL::${columnTypeOf(kind)} AS ${name(column)}`
    if (isTypeOf(duckdbTypes[kind], type)) return name(column)
    throw new FileFault(`${resource.name}.${column} is ${type}; expected ${duckdbTypes[kind]}`)
  })
  return sql`(SELECT ${selected} FROM ${tableOf(database, resource.name)})`
}

const isTypeOf = (type: string, text: string) =>
  text === (type === 'TIMESTAMPTZ' ? 'TIMESTAMP WITH TIME ZONE' : type)

async function readRefused(session: Session, rows: Sql, kind: string, sourceFile: string) {
  const refused = await session.rows(
    sql`SELECT ${selectColumns(rejects)} FROM ${rows}
     WHERE source_kind = ${kind} AND source_file = ${sourceFile} ORDER BY ordinal`,
  )
  return refused.map((row) => toRow(rejects, row) as unknown as RefusedRecord)
}
