import type { Resource } from '../../catalog/resource.ts'
import type { FileToRead } from '../../lake/facts/data-file.ts'
import type { RowVectors } from '../../lake/ports/file-rows-reader.ts'
import { orderOf, scanFiles, selectColumns } from '../duckdb/catalog-sql.ts'
import type { Session } from '../duckdb/session.ts'
import { name, type Sql, sql } from '../duckdb/sql.ts'
import { columnsOfChunk } from '../duckdb/vectors-of-chunk.ts'

const SORTED = name('sorted rows')

/**
 * Sorts rows into a table first, which spills and throws; a broken stream ends without an error, so the rows are
 * counted.
 * Errors: Error if rows are missing.
 */
export async function* readSortedRows(
  session: Session,
  resource: Resource,
  files: readonly FileToRead[],
  firstRow?: string,
): AsyncGenerator<RowVectors> {
  try {
    await session.run(
      sql`CREATE OR REPLACE TEMP TABLE ${SORTED} AS ${rowsToSort(resource, files, firstRow)} ORDER BY ${orderOf(resource)}`,
    )
    const expected = await session.number(sql`SELECT count(*) FROM ${SORTED}`)
    let read = 0
    const columns = Object.keys(resource.columns)
    for await (const chunk of session.chunks(sql`SELECT ${selectColumns(resource)} FROM ${SORTED}`)) {
      read += chunk.rowCount
      yield { rows: chunk.rowCount, columns: columnsOfChunk(chunk, columns) }
    }
    if (read !== expected) throw new Error(`${read} of ${expected} sorted rows could be read`)
  } finally {
    await session.run(sql`DROP TABLE IF EXISTS ${SORTED}`)
  }
}

function rowsToSort(resource: Resource, files: readonly FileToRead[], firstRow: string | undefined): Sql {
  const hasOrder = sql`WHERE ${name(resource.order[0]?.column ?? '')} IS NOT NULL`
  if (firstRow === undefined)
    return sql`SELECT ${selectColumns(resource)} FROM ${scanFiles(resource, files)} ${hasOrder}`
  const { [firstRow]: _, ...columns } = resource.columns
  const source = { ...resource, columns }
  return sql`SELECT ${selectColumns(source)}, min(file_row_number) AS ${name(firstRow)} FROM ${scanFiles(source, files, true)}
    ${hasOrder} GROUP BY ${selectColumns(source)}`
}
