import { groupBy } from '../../base/maps.ts'
import { partitionColumns } from '../../catalog/delta-schema.ts'
import type { Resource } from '../../catalog/resource.ts'
import { nullColumns, scansOf } from '../../engine/duckdb/catalog-sql.ts'
import { filePattern } from '../../engine/duckdb/duckdb-dialect.ts'
import { joined, name, type Sql, sql, textList } from '../../engine/duckdb/sql.ts'
import type { SqlFile } from './snapshot-files.ts'

/** SELECT over exactly these files, with the partition column. Missing columns are null. */
export function tableSelect(resource: Resource, files: readonly SqlFile[]): Sql {
  const [by] = partitionColumns(resource)
  if (files.length === 0) return emptySelect(resource, by)
  if (by === undefined) return selectOf(resource, files, sql`false`, [])
  if (files.every(({ path }) => path.split(`/${by}=`).length === 2)) {
    // The engine reads the value from the path and prunes files by it.
    return selectOf(resource, files, sql`true, hive_types = {${name(by)}: VARCHAR}`, [name(by)])
  }
  // A folder above the lake may look like a partition.
  const selects = [...groupBy(files, ({ partition }) => partition ?? '')].map(([value, partitionFiles]) =>
    selectOf(resource, partitionFiles, sql`false`, [sql`${value} AS ${name(by)}`]),
  )
  return joined(selects, ' UNION ALL ')
}

function selectOf(resource: Resource, files: readonly SqlFile[], hive: Sql, partition: readonly Sql[]): Sql {
  const scan = (paths: readonly string[]) =>
    sql`read_parquet(${textList(paths.map(filePattern))}, hive_partitioning = ${hive})`
  const selected = [...columnsToCompare(resource), ...partition]
  const selects = scansOf(resource, files, scan).map((from) => sql`SELECT ${selected} FROM ${from}`)
  return joined(selects, ' UNION ALL ')
}

/**
 * Columns in comparable form. DuckDB 1.5 misreads older Bloom filters of BLOB columns; an expression bypasses them.
 */
function columnsToCompare({ columns }: Resource): readonly Sql[] {
  return Object.entries(columns).map(([column, { kind }]) =>
    kind === 'bytes' ? sql`${name(column)} || ''::BLOB AS ${name(column)}` : name(column),
  )
}

function emptySelect(resource: Resource, by: string | undefined): Sql {
  const partition = by === undefined ? [] : [sql`NULL::VARCHAR AS ${name(by)}`]
  return sql`SELECT ${[...nullColumns(resource), ...partition]} WHERE false`
}
