import type { Kind } from '../../catalog/column.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { ValueRange } from '../../derive/partition.ts'
import { type FileToRead, lacksOf, pathOf } from '../../lake/data-file.ts'
import { orderBy } from '../sql/compile.ts'
import { alike, withAbsent } from '../sql/scan.ts'
import { columnTypes, duckdbDialect, filePattern } from './duckdb-dialect.ts'
import { compiled, joined, name, type Sql, sql, texts } from './sql.ts'

/** The columns of a resource in their order, for SELECT. */
export function columnsOf({ columns }: Resource): Sql {
  return sql`${Object.keys(columns).map(name)}`
}

/** The order of a resource as ORDER BY items. */
export function orderOf(resource: Resource): Sql {
  return compiled(orderBy(resource, duckdbDialect))
}

/** The type of a column of a kind. */
export function typeOf(kind: Kind): Sql {
  return compiled(columnTypes[kind])
}

/** An expression over a column of a resource, as a value that JavaScript holds exactly. */
export function exact({ columns }: Resource, column: string, expression = name(column)): Sql {
  return compiled(duckdbDialect.selected(expression.text, columns[column]?.kind ?? 'text'))
}

/** Condition that the value of a column lies in a range; of all rows without one. */
export function isInRange(range: ValueRange | null): Sql {
  if (range === null) return sql`true`
  return sql`${name(range.column)} >= ${range.first} AND ${name(range.column)} < ${range.end}`
}

/** FROM item over files as they are, one after the other. */
export function scanPaths(paths: readonly string[]): Sql {
  return sql`read_parquet(${texts(paths.map(filePattern))}, hive_partitioning = false)`
}

/** FROM item over one file as it is, with the number of each row as `file_row_number`. */
export function scanPath(path: string): Sql {
  return sql`read_parquet(${filePattern(path)}, hive_partitioning = false, file_row_number = true)`
}

/** FROM item over one file, with every column of its resource and the number of each row as `file_row_number`. */
export function scanFile(resource: Resource, file: FileToRead): Sql {
  return compiled(withAbsent(resource, lacksOf(file), scanPath(pathOf(file)).text, duckdbDialect))
}

/** FROM item over files with every column of their resource; in their order when none of them lacks any. */
export function scanFiles(resource: Resource, files: readonly FileToRead[]): Sql {
  const lacks = new Map(files.map((file) => [pathOf(file), lacksOf(file)]))
  const groups = alike([...lacks.keys()], (path) => lacks.get(path) ?? [])
  const scans = [...groups].map(([missing, paths]) =>
    compiled(withAbsent(resource, missing, scanPaths(paths).text, duckdbDialect)),
  )
  const [only] = scans
  if (only !== undefined && scans.length === 1) return only
  const selects = scans.map((scan) => sql`SELECT ${columnsOf(resource)} FROM ${scan}`)
  return sql`(${joined(selects, ' UNION ALL ')})`
}
