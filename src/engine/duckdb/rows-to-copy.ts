import type { Resource } from '../../catalog/resource.ts'
import type { RowsToSum } from '../../lake/content-reader.ts'
import type { FileToRead } from '../../lake/data-file.ts'
import { columnsOf, scanFiles } from './catalog-sql.ts'
import { name, type Sql, sql } from './sql.ts'

/** SELECT of the rows of files that a sorted copy has, or with `firstRow` pointers: those with a value in the column. */
export function rowsToCopy(
  resource: Resource,
  files: readonly FileToRead[],
  { column, firstRow }: RowsToSum,
): Sql {
  const has = sql`WHERE ${name(column)} IS NOT NULL`
  if (firstRow === undefined)
    return sql`SELECT ${columnsOf(resource)} FROM ${scanFiles(resource, files)} ${has}`
  const { [firstRow]: _, ...columns } = resource.columns
  const own = { ...resource, columns }
  return sql`SELECT ${columnsOf(own)}, min(file_row_number) AS ${name(firstRow)} FROM ${scanFiles(own, files, true)}
    ${has} GROUP BY ${columnsOf(own)}`
}
