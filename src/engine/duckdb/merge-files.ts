import { unlink } from 'node:fs/promises'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { Resource } from '../../catalog/resource.ts'
import { fail } from '../../errors.ts'
import { orderBy } from '../sql/compile.ts'
import { duckdbDialect, filePattern, identifier, literal } from './duckdb-dialect.ts'
import { writeParquet } from './write-parquet.ts'

/** Rows of the file that are sorted anew together; a quarter of a row group. */
const PIECE_ROWS = 30_720

/** Rows `first` up to but not including `end` of one file; without `end` up to its last. */
interface Stretch {
  readonly path: string
  readonly first: number
  readonly end: number | undefined
}

/** Where rows of the second file arrive: in the piece of the first file that begins at `piece`. */
interface Arrival {
  readonly piece: number
  readonly first: number
  readonly end: number
}

/**
 * Writes the rows of two sorted files as one. The first is cut into pieces of so many rows; only pieces where rows
 * arrive are sorted anew, one at a time, since one wide sort of everything would not fit into the writer's memory.
 * Errors: `lake_damaged` when both files have the same row.
 */
export async function mergeFiles(
  connection: DuckDBConnection,
  resource: Resource,
  file: string,
  arriving: string,
  to: string,
  threads: number,
): Promise<void> {
  await refuseTwins(connection, resource, file, arriving)
  const columns = Object.keys(resource.columns).map(identifier).join(', ')
  const order = orderBy(resource, duckdbDialect)
  const rowsOf = (stretch: Stretch) => `SELECT ${columns} FROM ${scanStretch(stretch)}`
  const selects: string[] = []
  const pieces: string[] = []
  let done = 0
  for (const { piece, first, end } of await locateArrivals(connection, resource, file, arriving)) {
    const sorted = `${to}.${pieces.length}`
    const pieceEnd = piece + PIECE_ROWS
    const both = [
      rowsOf({ path: file, first: piece, end: pieceEnd }),
      rowsOf({ path: arriving, first, end }),
    ].join(' UNION ALL ')
    await writeParquet(connection, [`SELECT * FROM (${both}) ORDER BY ${order}`], sorted, threads)
    if (done < piece) selects.push(rowsOf({ path: file, first: done, end: piece }))
    selects.push(`SELECT ${columns} FROM ${scan(sorted)}`)
    pieces.push(sorted)
    done = pieceEnd
  }
  selects.push(rowsOf({ path: file, first: done, end: undefined }))
  await writeParquet(connection, selects, to, threads)
  for (const piece of pieces) await unlink(piece)
}

/** The order of a resource is total, so rows that compare equal are one row. */
async function refuseTwins(
  connection: DuckDBConnection,
  resource: Resource,
  file: string,
  arriving: string,
): Promise<void> {
  const same = resource.order.map(
    ({ column }) => `old.${identifier(column)} IS NOT DISTINCT FROM new.${identifier(column)}`,
  )
  const reader = await connection.runAndReadAll(
    `SELECT new.source_file, new.ordinal FROM ${scan(file)} old JOIN ${scan(arriving)} new ` +
      `ON ${same.join(' AND ')} LIMIT 1`,
  )
  const [twin] = reader.getRowsJS()
  if (twin === undefined) return
  fail(
    'lake_damaged',
    `${file} holds message ${twin[1]} of ${twin[0]} already, although it is told as refused; nothing was taken in.`,
  )
}

/** Each piece that rows arrive in, ascending; what comes before all rows arrives in the first piece. */
async function locateArrivals(
  connection: DuckDBConnection,
  resource: Resource,
  file: string,
  arriving: string,
): Promise<readonly Arrival[]> {
  const keys = resource.order.map(({ column }) => identifier(column)).join(', ')
  const order = orderBy(resource, duckdbDialect)
  const reader = await connection.runAndReadAll(
    `SELECT piece, min(arrival), max(arrival) + 1 FROM (
       SELECT arrival, coalesce(max(first) OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING), 0) AS piece FROM (
         SELECT ${keys}, file_row_number AS first, NULL AS arrival FROM ${scan(file)} WHERE file_row_number % ${PIECE_ROWS} = 0
         UNION ALL SELECT ${keys}, NULL, file_row_number FROM ${scan(arriving)}))
     WHERE arrival IS NOT NULL GROUP BY piece ORDER BY piece`,
  )
  return reader.getRowsJS().map(([piece, first, end]) => ({
    piece: Number(piece),
    first: Number(first),
    end: Number(end),
  }))
}

function scanStretch({ path, first, end }: Stretch): string {
  const before = end === undefined ? '' : ` AND file_row_number < ${end}`
  return `${scan(path)} WHERE file_row_number >= ${first}${before}`
}

function scan(path: string): string {
  return `read_parquet(${literal(filePattern(path))}, hive_partitioning = false, file_row_number = true)`
}
