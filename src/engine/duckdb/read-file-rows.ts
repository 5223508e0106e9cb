import type { Resource } from '../../catalog/resource.ts'
import type { FileToRead } from '../../lake/data-file.ts'
import type { RowVectors } from '../../lake/file-rows-reader.ts'
import { scanFile } from './catalog-sql.ts'
import type { Session } from './session.ts'
import { name, type Sql, sql } from './sql.ts'
import { columnsOfChunk } from './vectors-of-chunk.ts'

const TEXTS = name('texts of a file')

/** Rows in their order; a stream that breaks ends without an error, so they are counted. Errors: Error when rows are missing. */
export async function* readFileRows(
  session: Session,
  resource: Resource,
  file: FileToRead,
  columns: readonly string[],
  numbered?: string,
): AsyncGenerator<RowVectors> {
  const from = scanFile(resource, file)
  const expected = await session.number(sql`SELECT count(*) FROM ${from}`)
  if (numbered !== undefined) {
    await session.run(sql`DROP TYPE IF EXISTS ${TEXTS}`)
    await session.run(sql`CREATE TYPE ${TEXTS} AS ENUM (${selectTexts(resource, file, numbered)})`)
  }
  const selected = columns.map((column) => {
    if (column !== numbered) return name(column)
    return sql`enum_code(${name(column)}::${TEXTS})::INTEGER AS ${name(column)}`
  })
  let read = 0
  for await (const chunk of session.chunks(sql`SELECT ${[...selected, sql`file_row_number`]} FROM ${from}`)) {
    const first = chunk.getColumnVector(columns.length).getItem(0)
    if (first !== BigInt(read)) throw new Error(`row ${first} of a file came as its row ${read}`)
    read += chunk.rowCount
    yield { rows: chunk.rowCount, columns: columnsOfChunk(chunk, columns) }
  }
  if (read !== expected) throw new Error(`${read} of ${expected} rows of a file could be read`)
}

export async function readTexts(
  session: Session,
  resource: Resource,
  file: FileToRead,
  column: string,
): Promise<readonly string[]> {
  const [texts = []] = await session.columns<readonly [string[]]>(selectTexts(resource, file, column))
  return texts
}

/** SELECT of the different texts of a column in the order of their bytes. */
function selectTexts(resource: Resource, file: FileToRead, column: string): Sql {
  return sql`SELECT DISTINCT ${name(column)} AS text FROM ${scanFile(resource, file)}
    WHERE ${name(column)} IS NOT NULL ORDER BY text`
}
