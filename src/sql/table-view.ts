import type { Resource } from '../catalog/resource.ts'
import { partitionColumns } from '../derive/delta-schema.ts'
import {
  columnsOf,
  columnTypes,
  duckdbDialect,
  filePattern,
  identifier,
  literals,
} from '../engine/duckdb/duckdb-dialect.ts'
import { alike, withAbsent } from '../engine/sql/scan.ts'
import type { DataFile } from '../lake/data-file.ts'

/**
 * SELECT of a table over these files and no others, with its partition column, which the engine reads from their paths, so
 * that a condition on it leaves out files. Columns that a file was written without are null.
 */
export function tableSelect(resource: Resource, files: readonly DataFile[]): string {
  const partition = partitionColumns(resource)
  const columns = [columnsOf(resource), ...partition.map(identifier)].join(', ')
  if (files.length === 0) return emptySelect(resource, partition)
  const lacks = new Map(files.map((file) => [file.path, file.lacks]))
  const groups = alike([...lacks.keys()], (path) => lacks.get(path) ?? [])
  const selects = [...groups].map(
    ([missing, paths]) =>
      `SELECT ${columns} FROM ${withAbsent(resource, missing, scan(paths, partition), duckdbDialect)}`,
  )
  return selects.join(' UNION ALL ')
}

function scan(paths: readonly string[], partition: readonly string[]): string {
  const types = partition.map((name) => `${identifier(name)}: VARCHAR`).join(', ')
  const hive = types === '' ? 'false' : `true, hive_types = {${types}}`
  return `read_parquet(${literals(paths.map(filePattern))}, hive_partitioning = ${hive})`
}

function emptySelect({ columns }: Resource, partition: readonly string[]): string {
  const nulls = [
    ...Object.entries(columns).map(([name, { kind }]) => `NULL::${columnTypes[kind]} AS ${identifier(name)}`),
    ...partition.map((name) => `NULL::VARCHAR AS ${identifier(name)}`),
  ]
  return `SELECT ${nulls.join(', ')} WHERE false`
}
