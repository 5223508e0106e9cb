import { exportColumns, type FlatColumn } from '../../../catalog/records/flat-columns.ts'
import { resourceNamed } from '../../../catalog/resources.ts'
import type { View } from '../../../engine/duckdb/confined/views.ts'
import { filePattern } from '../../../engine/duckdb/duckdb-dialect.ts'
import { compiled, name, type Sql, sql } from '../../../engine/duckdb/sql.ts'
import { valueTypeOf } from '../../export/formats/value-types.ts'

/** Formats of exported files that statements read, by extension. */
export const readFormats = ['parquet', 'csv', 'ndjson'] as const

/** An exported file of a list. */
export interface ListFile {
  readonly path: string
  /** Name of the list. */
  readonly list: string
  readonly format: (typeof readFormats)[number]
  /** Names of the columns, in order; those of a Parquet file are in the file. */
  readonly columns: readonly string[]
}

/** A view for each file, with the types of an export, under the name of its list. */
export function fileViews(files: readonly ListFile[]): readonly View[] {
  return files.map((file) => {
    const columns = file.format === 'parquet' ? [] : columnsOf(file)
    const doc = `${resourceNamed(file.list)?.doc ?? ''} Rows of an exported file.`.trim()
    return { name: file.list, doc, columns, select: sql`FROM ${scanOf(file, columns)}` }
  })
}

function columnsOf({ list, columns }: ListFile): readonly FlatColumn[] {
  const resource = resourceNamed(list)
  const exported = resource === undefined ? [] : exportColumns(resource)
  return columns.flatMap((column) => exported.find((one) => one.name === column) ?? [])
}

function scanOf({ path, format }: ListFile, columns: readonly FlatColumn[]): Sql {
  const file = filePattern(path)
  if (format === 'parquet') return sql`read_parquet(${file}, hive_partitioning = false)`
  const types = compiled(
    `{${columns.map((column) => `${name(column.name).text}: ${sql`${typeOf(column, format)}`.text}`).join(', ')}}`,
  )
  if (format === 'ndjson')
    return sql`read_json(${file}, format = 'newline_delimited', hive_partitioning = false, columns = ${types})`
  return sql`read_csv(${file}, header = true, auto_detect = false, delim = ',', quote = '"', escape = '"',
    nullstr = '', allow_quoted_nulls = false, hive_partitioning = false, columns = ${types})`
}

const types = {
  ...{ text: 'VARCHAR', boolean: 'BOOLEAN', int32: 'INTEGER', int64: 'BIGINT', uint64: 'UBIGINT' },
  ...{ timestamp: 'TIMESTAMPTZ', date: 'DATE' },
} as const

function typeOf(column: FlatColumn, format: ListFile['format']): string {
  const type = valueTypeOf(column)
  if (type.as !== 'decimal') return types[type.as]
  // DuckDB reads fractions of JSON numbers as doubles. The column with `_exact` has every digit.
  const isRounded = format === 'ndjson' && type.inJson === 'number' && type.scale > 0
  return isRounded ? 'DOUBLE' : `DECIMAL(38,${type.scale})`
}
