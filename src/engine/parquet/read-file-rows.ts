import type { Resource } from '../../catalog/resource.ts'
import type { FileToRead } from '../../lake/facts/data-file.ts'
import type { RowVectors } from '../../lake/ports/file-rows-reader.ts'
import { scanFile } from '../duckdb/catalog-sql.ts'
import type { Session } from '../duckdb/session.ts'
import { name, sql } from '../duckdb/sql.ts'
import { columnsOfChunk } from '../duckdb/vectors-of-chunk.ts'

/**
 * Streams rows in order; a broken stream ends without an error, so the rows are counted.
 * Errors: Error if rows are missing.
 */
export async function* readFileRows(
  session: Session,
  resource: Resource,
  file: FileToRead,
  columns: readonly string[],
): AsyncGenerator<RowVectors> {
  const from = scanFile(resource, file)
  const expected = await session.number(sql`SELECT count(*) FROM ${from}`)
  let read = 0
  for await (const chunk of session.chunks(
    sql`SELECT ${[...columns.map(name), sql`file_row_number`]} FROM ${from}`,
  )) {
    const first = chunk.getColumnVector(columns.length).getItem(0)
    if (first !== BigInt(read)) throw new Error(`row ${first} of a file came as its row ${read}`)
    read += chunk.rowCount
    yield { rows: chunk.rowCount, columns: columnsOfChunk(chunk, columns) }
  }
  if (read !== expected) throw new Error(`${read} of ${expected} rows of a file could be read`)
}
