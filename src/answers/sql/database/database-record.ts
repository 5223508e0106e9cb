import { version } from '../../../base/version.ts'
import type { FlatColumn } from '../../../catalog/records/flat-columns.ts'
import type { TableRows } from '../../../engine/duckdb/confined/database-file.ts'
import type { View } from '../../../engine/duckdb/confined/views.ts'
import { joined, type Sql, sql } from '../../../engine/duckdb/sql.ts'
import type { Snapshot } from '../../../lake/snapshot/snapshot.ts'
import type { DatabaseLimits } from './table-limits.ts'

/** Format of database files. Increment it when tables, columns or `_ledgerlake` change their meaning. */
const FORMAT = 2

const recordColumns: readonly Pick<FlatColumn, 'name' | 'doc'>[] = [
  { name: 'table_name', doc: 'Table of this file.' },
  { name: 'rows', doc: 'Rows of the table.' },
  { name: 'snapshot', doc: 'Id of the snapshot of the lake.' },
  { name: 'first_day', doc: 'First day (UTC) of the rows; null without a limit.' },
  { name: 'last_day', doc: 'Last day (UTC) of the rows, included; null without a limit.' },
  { name: 'owner', doc: 'Owner whose hotspots and account the rows belong to; null without a limit.' },
  { name: 'format', doc: 'Format of this file.' },
  { name: 'program', doc: 'Version of ledgerlake that wrote it.' },
]

/** The table `_ledgerlake`, which describes the file. */
export function recordOf(
  tables: readonly TableRows[],
  { id }: Snapshot,
  { days, owner }: DatabaseLimits,
): View {
  const day = (text: string | undefined) => (text === undefined ? sql`NULL::DATE` : sql`${text}::DATE`)
  const rows = tables.map(
    (table) =>
      sql`SELECT ${
        [
          ...[sql`${table.name} AS table_name`, sql`${table.rows}::BIGINT AS rows`, sql`${id} AS snapshot`],
          ...[sql`${day(days?.first)} AS first_day`, sql`${day(days?.last)} AS last_day`],
          sql`${owner === undefined ? sql`NULL::VARCHAR` : sql`${owner}`} AS owner`,
          ...[sql`${FORMAT} AS format`, sql`${version} AS program`],
        ] satisfies readonly Sql[]
      }`,
  )
  return {
    name: '_ledgerlake',
    doc: 'What this file holds: a row for each table.',
    columns: recordColumns,
    select: joined(rows, ' UNION ALL '),
  }
}
