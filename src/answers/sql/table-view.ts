import { partitionColumns } from '../../catalog/delta-schema.ts'
import type { Resource } from '../../catalog/resource.ts'
import { columnTypeOf } from '../../engine/duckdb/catalog-sql.ts'
import { duckdbDialect, filePattern } from '../../engine/duckdb/duckdb-dialect.ts'
import { compiled, joined, name, type Sql, sql, textList } from '../../engine/duckdb/sql.ts'
import { groupByLacks, withAbsent } from '../../engine/sql/scan.ts'
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
  const values = [...new Set(files.map(({ partition }) => partition ?? ''))]
  const selects = values.map((value) => {
    const partitionFiles = files.filter(({ partition }) => partition === value)
    return selectOf(resource, partitionFiles, sql`false`, [sql`${value} AS ${name(by)}`])
  })
  return joined(selects, ' UNION ALL ')
}

function selectOf(resource: Resource, files: readonly SqlFile[], hive: Sql, partition: readonly Sql[]): Sql {
  const lacks = new Map(files.map((file) => [file.path, file.lacks]))
  const groups = groupByLacks([...lacks.keys()], (path) => lacks.get(path) ?? [])
  const selects = [...groups].map(([missing, paths]) => {
    const scan = sql`read_parquet(${textList(paths.map(filePattern))}, hive_partitioning = ${hive})`
    const from = compiled(withAbsent(resource, missing, scan.text, duckdbDialect))
    return sql`SELECT ${[...columnsToCompare(resource), ...partition]} FROM ${from}`
  })
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

function emptySelect({ columns }: Resource, by: string | undefined): Sql {
  const nulls = Object.entries(columns).map(
    ([column, { kind }]) => sql`NULL::${columnTypeOf(kind)} AS ${name(column)}`,
  )
  const partition = by === undefined ? [] : [sql`NULL::VARCHAR AS ${name(by)}`]
  return sql`SELECT ${[...nulls, ...partition]} WHERE false`
}
