import { rm } from 'node:fs/promises'
import type { Resource } from '../../catalog/resource.ts'
import { orderBy } from '../sql/compile.ts'
import { duckdbDialect, identifier, literal } from './duckdb-dialect.ts'
import { scanFile } from './scan-files.ts'
import type { Session } from './session.ts'
import { groupRowsOf, writeParquet } from './write-parquet.ts'

/** Texts of so many bytes are sorted together; the engine needs several times as much, and spills only narrow rows. */
const PIECE_BYTES = 32 * 1024 * 1024

/**
 * Writes the rows of a query as one Parquet file in the order of the resource. Where they have long texts they are sorted
 * in pieces, each of some values of the column that leads the order, since the engine runs out of memory on one sort.
 */
export async function writeSorted(
  session: Session,
  resource: Resource,
  rows: string,
  to: string,
): Promise<void> {
  const order = orderBy(resource, duckdbDialect)
  const sort = (where: string) => `SELECT * FROM (${rows}) ${where} ORDER BY ${order}`
  const groupRows = groupRowsOf(resource)
  const pieces = await cutPieces(session, resource, rows)
  if (pieces.length < 2) return writeParquet(session, [sort('')], to, groupRows)
  const paths = pieces.map((_, index) => `${to}.${index}`)
  for (const [index, path] of paths.entries())
    await writeParquet(session, [sort(`WHERE ${pieces[index]}`)], path, groupRows)
  const selects = paths.map((path) => `SELECT * EXCLUDE (file_row_number) FROM ${scanFile(resource, path)}`)
  await writeParquet(session, selects, to, groupRows)
  for (const path of paths) await rm(path)
}

/** Conditions that divide the rows, in order; none for a table without long texts. */
async function cutPieces(
  session: Session,
  { columns, order }: Resource,
  rows: string,
): Promise<readonly string[]> {
  const long = Object.keys(columns).filter((name) => columns[name]?.kind === 'object')
  const [lead] = order
  if (long.length === 0 || lead === undefined) return []
  const bytes = long.map((name) => `coalesce(strlen(${identifier(name)}), 0)`).join(' + ')
  const column = identifier(lead.column)
  const tuples = await session.tuples(
    `SELECT min(value)::VARCHAR FROM (
       SELECT value, (sum(bytes) OVER (ORDER BY value) - bytes) // ${PIECE_BYTES} AS piece FROM (
         SELECT ${column} AS value, sum(${bytes}) AS bytes FROM (${rows}) GROUP BY value))
     GROUP BY piece ORDER BY min(value)`,
  )
  const starts = tuples.map(([start]) => literal(String(start)))
  return starts.map((start, index) => {
    const next = starts[index + 1]
    const conditions = [
      ...(index === 0 ? [] : [`${column} >= ${start}`]),
      ...(next === undefined ? [] : [`${column} < ${next}`]),
    ]
    return conditions.length === 0 ? 'true' : conditions.join(' AND ')
  })
}
