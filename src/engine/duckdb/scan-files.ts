import type { Resource } from '../../catalog/resource.ts'
import { type FileToRead, lacksOf, pathOf } from '../../lake/data-file.ts'
import { alike, withAbsent } from '../sql/scan.ts'
import { columnsOf, duckdbDialect, scanPath, scanPaths } from './duckdb-dialect.ts'

/** FROM item over one file, with every column of its resource and the number of each row as `file_row_number`. */
export function scanFile(resource: Resource, file: FileToRead): string {
  return withAbsent(resource, lacksOf(file), scanPath(pathOf(file)), duckdbDialect)
}

/** FROM item over files with every column of their resource; in their order when none of them lacks any. */
export function scanFiles(resource: Resource, files: readonly FileToRead[]): string {
  const lacks = new Map(files.map((file) => [pathOf(file), lacksOf(file)]))
  const groups = alike([...lacks.keys()], (path) => lacks.get(path) ?? [])
  const selects = [...groups].map(([missing, paths]) => {
    const rows = withAbsent(resource, missing, scanPaths(paths), duckdbDialect)
    return groups.size < 2 ? rows : `SELECT ${columnsOf(resource)} FROM ${rows}`
  })
  return groups.size < 2 ? selects.join() : `(${selects.join(' UNION ALL ')})`
}
