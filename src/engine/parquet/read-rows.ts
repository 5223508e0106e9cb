import type { DuckDBDataChunk } from '@duckdb/node-api'
import type { Resource } from '../../catalog/resource.ts'
import type { FileToRead } from '../../lake/facts/data-file.ts'
import type { RowVectors } from '../../lake/ports/file-rows-reader.ts'
import { orderOf, scanFile, scanFiles, selectColumns } from '../duckdb/catalog-sql.ts'
import type { Session } from '../duckdb/session.ts'
import { name, type Sql, sql } from '../duckdb/sql.ts'
import { columnsOfChunk } from '../duckdb/vectors-of-chunk.ts'

/** Streams the rows of a file in order. Errors: Error if rows are missing. */
export function readFileRows(
  session: Session,
  resource: Resource,
  file: FileToRead,
  columns: readonly string[],
): AsyncGenerator<RowVectors> {
  const selected = [...columns.map(name), sql`file_row_number`]
  return readCounted(session, scanFile(resource, file), selected, columns, (chunk, read) => {
    const first = chunk.getColumnVector(columns.length).getItem(0)
    if (first !== BigInt(read)) throw new Error(`row ${first} of a file came as its row ${read}`)
  })
}

const SORTED = name('sorted rows')

/** Sorts rows into a table first, which spills and throws. Errors: Error if rows are missing. */
export async function* readSortedRows(
  session: Session,
  resource: Resource,
  files: readonly FileToRead[],
  firstRow?: string,
): AsyncGenerator<RowVectors> {
  const columns = Object.keys(resource.columns)
  try {
    await session.run(
      sql`CREATE OR REPLACE TEMP TABLE ${SORTED} AS ${rowsToSort(resource, files, firstRow)} ORDER BY ${orderOf(resource)}`,
    )
    yield* readCounted(session, SORTED, columns.map(name), columns)
  } finally {
    await session.run(sql`DROP TABLE IF EXISTS ${SORTED}`)
  }
}

/** A broken stream ends without an error, so the rows are counted. */
async function* readCounted(
  session: Session,
  from: Sql,
  selected: readonly Sql[],
  columns: readonly string[],
  check: (chunk: DuckDBDataChunk, read: number) => void = () => {},
): AsyncGenerator<RowVectors> {
  const expected = await session.number(sql`SELECT count(*) FROM ${from}`)
  let read = 0
  for await (const chunk of session.chunks(sql`SELECT ${selected} FROM ${from}`)) {
    check(chunk, read)
    read += chunk.rowCount
    yield { rows: chunk.rowCount, columns: columnsOfChunk(chunk, columns) }
  }
  if (read !== expected) throw new Error(`${read} of ${expected} rows could be read`)
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
