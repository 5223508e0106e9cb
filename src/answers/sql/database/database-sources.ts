import type { FlatColumn } from '../../../catalog/records/flat-columns.ts'
import type { View } from '../../../engine/duckdb/confined/views.ts'
import { joined, name, type Sql, sql } from '../../../engine/duckdb/sql.ts'
import { EXPORTED_SOURCES } from '../../../engine/parquet/exported-database.ts'
import { type SourceRecord, sourceRecordsOf, writeSourceRecord } from '../../../lake/facts/source-record.ts'
import type { Snapshot } from '../../../lake/snapshot/snapshot.ts'
import { type DatabaseLimits, tablesOfFile } from './table-limits.ts'

const columns: readonly Pick<FlatColumn, 'name' | 'doc'>[] = [
  { name: 'table_name', doc: 'Table of this file.' },
  { name: 'partition', doc: 'Partition of the rows in a lake; null for tables without partitions.' },
  { name: 'kind', doc: 'Kind of the artifact.' },
  { name: 'source_file', doc: 'Name of the artifact.' },
  { name: 'sha256', doc: 'SHA-256 of the bytes of the artifact, hexadecimal.' },
  { name: 'rows', doc: 'Rows of the artifact in a lake. A file with limits may have fewer.' },
  { name: 'record', doc: 'The artifact in the log of a lake: JSON that `ledgerlake ingest` reads.' },
]

/**
 * The table of sources, from which `ingest` restores them. None with an owner: nearly every source would be partial.
 */
export function sourceTables(at: Snapshot, { days, owner }: DatabaseLimits): readonly View[] {
  if (owner !== undefined) return []
  const selects = tablesOfFile({}).flatMap((resource) => {
    const { files } = at.table(resource)
    const records = sourceRecordsOf(resource, files)
    if (records.length === 0) return []
    const select = sql`SELECT * FROM (VALUES ${records.map(valuesOf)}) AS s(${columns.map((column) => name(column.name))})`
    if (days === undefined) return [select]
    const written = sql`SELECT source_file FROM ${name(resource.name)}`
    return [sql`${select} WHERE s.rows = 0 OR s.source_file IN (${written})`]
  })
  const doc = 'The artifacts that the rows were read from.'
  const select = selects.length === 0 ? noSources : joined(selects, ' UNION ALL ')
  return [{ name: EXPORTED_SOURCES, doc, columns, select }]
}

const noSources = sql`SELECT ${columns.map((column) => sql`NULL::VARCHAR AS ${name(column.name)}`)} WHERE false`

function valuesOf(record: SourceRecord): Sql {
  const { resource, partition, source } = record
  const partitionText = partition === null ? sql`NULL::VARCHAR` : sql`${partition}`
  const json = JSON.stringify(writeSourceRecord(record))
  const { kind, name: file, sha256, rows } = source
  return sql`(${resource.name}, ${partitionText}, ${kind}, ${file}, ${sha256}, ${rows}::BIGINT, ${json})`
}
