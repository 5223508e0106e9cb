import type { DuckDBType } from '@duckdb/node-api'
import { groupBy } from '../../base/maps.ts'
import type { Kind } from '../../catalog/column.ts'
import type { ValueRange } from '../../catalog/partition.ts'
import type { Resource } from '../../catalog/resource.ts'
import { type FileToRead, lacksOf, pathOf } from '../../lake/facts/data-file.ts'
import type { CopyForm } from '../engine.ts'
import { orderBy, type Statement } from '../sql/compile.ts'
import { groupByLacks, withAbsent } from '../sql/scan.ts'
import { duckdbDialect, duckdbTypes, filePattern } from './duckdb-dialect.ts'
import type { Selected } from './rows-of-result.ts'
import { compiled, joined, name, type Sql, sql, textList } from './sql.ts'

export function selectColumns({ columns }: Resource): Sql {
  return sql`${Object.keys(columns).map(name)}`
}

export function binaryColumns({ columns }: Resource): readonly string[] {
  return Object.keys(columns).filter((column) => columns[column]?.kind === 'bytes')
}

export function orderOf(resource: Resource): Sql {
  return compiled(orderBy(resource, duckdbDialect))
}

export function columnTypeOf(kind: Kind): Sql {
  return compiled(duckdbTypes[kind])
}

export function typeName(type: DuckDBType): Sql {
  return compiled(String(type))
}

/** COPY of the rows of a statement to a file. */
export function copyStatement(
  { text, values }: Statement,
  { select, options }: CopyForm,
  path: string,
): Statement {
  const copy = sql`COPY (${compiled(select(text))}) TO ${path} (${compiled(options)}, USE_TMP_FILE false)`
  return { text: copy.text, values, isCopy: true }
}

/** Expression with a value that JavaScript represents exactly. */
export function exact({ columns }: Resource, column: string, expression = name(column)): Sql {
  return compiled(duckdbDialect.selected(expression.text, columns[column]?.kind ?? 'text'))
}

/** Condition for a range of values; true without a range. */
export function isInRange(range: ValueRange | null): Sql {
  if (range === null) return sql`true`
  return sql`${name(range.column)} >= ${range.first} AND ${name(range.column)} < ${range.end}`
}

/** FROM item over raw files, in order. `isNumbered` adds `file_row_number`. */
export function scanPaths(paths: readonly string[], isNumbered = false): Sql {
  const numbered = isNumbered ? sql`, file_row_number = true` : sql``
  return sql`read_parquet(${textList(paths.map(filePattern))}, hive_partitioning = false${numbered})`
}

/** FROM item over a file with all columns of its resource, and row numbers in `file_row_number`. */
export function scanFile(resource: Resource, file: FileToRead): Sql {
  return compiled(withAbsent(resource, lacksOf(file), scanPaths([pathOf(file)], true).text, duckdbDialect))
}

/** SELECT of the rows of a file that satisfy a condition, which may use `file_row_number`. */
export function selectRows(resource: Resource, file: FileToRead, where: Sql): Sql {
  return sql`SELECT ${selectColumns(resource)} FROM ${scanFile(resource, file)} WHERE ${where}`
}

/** SELECT items of a null for each column, with its type. */
export function nullColumns({ columns }: Resource): readonly Sql[] {
  return Object.entries(columns).map(
    ([column, { kind }]) => sql`NULL::${columnTypeOf(kind)} AS ${name(column)}`,
  )
}

/** Files that lack the same columns, read in one statement. */
export interface Sweep {
  /** FROM item with all columns and row numbers, in file order. */
  readonly from: Sql
  /** SELECT item of the index of the file, `file index`. */
  readonly file: Sql
  readonly by: readonly Sql[]
}

export function sweepOf(resource: Resource, files: readonly FileToRead[]): Sweep {
  const file = name('file index')
  const [first, ...remaining] = files
  if (first === undefined) throw new Error('there is no file to read')
  // Groups cost time that a single file does not need.
  if (remaining.length === 0) return { from: scanFile(resource, first), file: sql`0 AS ${file}`, by: [] }
  const paths = textList(files.map((file) => filePattern(pathOf(file))))
  const scan = sql`(SELECT *, file_index AS ${file}
    FROM read_parquet(${paths}, hive_partitioning = false, file_row_number = true))`
  const from = compiled(withAbsent(resource, lacksOf(first), scan.text, duckdbDialect))
  return { from, file, by: [file] }
}

/** Groups rows of a sweep by file index. */
export function byFile<T>(
  rows: readonly Selected[],
  make: (filesOfRow: readonly Selected[]) => T,
): ReadonlyMap<number, T> {
  const files = groupBy(rows, (row) => Number(row['file index']))
  return new Map([...files].map(([index, fileRows]) => [index, make(fileRows)]))
}

/** GROUP BY clause; empty without items. */
export function groupByClause(items: readonly Sql[]): Sql {
  return items.length === 0 ? sql`` : sql` GROUP BY ${items}`
}

/**
 * FROM item over files with all columns; in file order if no file lacks a column. `isNumbered` adds
 * `file_row_number`.
 */
export function scanFiles(resource: Resource, files: readonly FileToRead[], isNumbered = false): Sql {
  const scans = scansOf(resource, files, (paths) => scanPaths(paths, isNumbered))
  const [only] = scans
  if (only !== undefined && scans.length === 1) return only
  const columns = isNumbered ? sql`${selectColumns(resource)}, file_row_number` : selectColumns(resource)
  const selects = scans.map((scan) => sql`SELECT ${columns} FROM ${scan}`)
  return sql`(${joined(selects, ' UNION ALL ')})`
}

/** FROM items over files with all columns, one for the files that lack the same columns. */
export function scansOf(
  resource: Resource,
  files: readonly FileToRead[],
  scan: (paths: readonly string[]) => Sql,
): readonly Sql[] {
  const lacks = new Map(files.map((file) => [pathOf(file), lacksOf(file)]))
  const groups = groupByLacks([...lacks.keys()], (path) => lacks.get(path) ?? [])
  return [...groups].map(([missing, paths]) =>
    compiled(withAbsent(resource, missing, scan(paths).text, duckdbDialect)),
  )
}
