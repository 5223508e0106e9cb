import { unlink } from 'node:fs/promises'
import type { Resource } from '../../catalog/resource.ts'
import { fail } from '../../errors.ts'
import { type FileToRead, pathOf } from '../../lake/data-file.ts'
import { orderBy } from '../sql/compile.ts'
import { columnsOf, duckdbDialect, identifier } from './duckdb-dialect.ts'
import { scanFile } from './scan-files.ts'
import type { Session } from './session.ts'
import { groupRowsOf, writeParquet } from './write-parquet.ts'

/** At most so many rows of each file are sorted together; a quarter of a row group. */
const PIECE_ROWS = 30_720

/** Rows `first` up to but not including `end` of one file. */
interface Stretch {
  readonly first: number
  readonly end: number
}

/** Stretches of both files that make one stretch of the merged one. */
interface Piece {
  readonly old: Stretch
  readonly arriving: Stretch
}

/** Merges two sorted files. Errors: `lake_damaged` when both have the same row. */
export async function mergeFiles(
  session: Session,
  resource: Resource,
  file: FileToRead,
  arriving: string,
  to: string,
): Promise<void> {
  await refuseTwins(session, resource, file, arriving)
  await mergeSorted(session, resource, file, arriving, to)
}

/**
 * Writes the rows of two sorted files as one. Only the pieces of the first where rows arrive are sorted anew, one at a
 * time, since one wide sort of everything would not fit into the writer's memory.
 */
export async function mergeSorted(
  session: Session,
  resource: Resource,
  file: FileToRead,
  arriving: string,
  to: string,
): Promise<void> {
  const selects: string[] = []
  const sorted: string[] = []
  let done = 0
  for (const coarse of await locateArrivals(session, resource, file, arriving)) {
    if (done < coarse.old.first) selects.push(rowsOf(resource, file, { first: done, end: coarse.old.first }))
    for (const piece of await cutPiece(session, resource, file, arriving, coarse)) {
      const path = `${to}.${sorted.length}`
      await writeParquet(session, [sortPiece(resource, file, arriving, piece)], path)
      selects.push(rowsOf(resource, path, EVERYTHING))
      sorted.push(path)
    }
    done = coarse.old.end
  }
  selects.push(rowsOf(resource, file, { ...EVERYTHING, first: done }))
  await writeParquet(session, selects, to, groupRowsOf(resource))
  for (const path of sorted) await unlink(path)
}

function sortPiece(
  resource: Resource,
  file: FileToRead,
  arrivingFile: string,
  { old, arriving }: Piece,
): string {
  const both = [rowsOf(resource, file, old), rowsOf(resource, arrivingFile, arriving)].join(' UNION ALL ')
  return `SELECT * FROM (${both}) ORDER BY ${orderBy(resource, duckdbDialect)}`
}

/** The order of a resource is total, so rows that compare equal are one row. */
async function refuseTwins(
  session: Session,
  resource: Resource,
  file: FileToRead,
  arriving: string,
): Promise<void> {
  const same = resource.order.map(
    ({ column }) => `old.${identifier(column)} IS NOT DISTINCT FROM new.${identifier(column)}`,
  )
  const [twin] = await session.tuples(
    `SELECT new.source_file, new.ordinal FROM ${scanFile(resource, file)} old JOIN ${scanFile(resource, arriving)} new ` +
      `ON ${same.join(' AND ')} LIMIT 1`,
  )
  if (twin === undefined) return
  fail(
    'lake_damaged',
    `${pathOf(file)} already has message ${twin[1]} of ${twin[0]}, which is listed as refused too; nothing was ingested. ` +
      `Ingest that source again with --replace.`,
  )
}

/** The pieces of the file that rows arrive in, ascending; what comes before all its rows arrives in the first. */
async function locateArrivals(
  session: Session,
  resource: Resource,
  file: FileToRead,
  arriving: string,
): Promise<readonly Piece[]> {
  const order = orderBy(resource, duckdbDialect)
  const tuples = await session.tuples(
    `SELECT piece, min(arrival), max(arrival) + 1 FROM (
       SELECT arrival, coalesce(max(old) OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING), 0) AS piece FROM (
         SELECT *, n AS old, NULL AS arrival FROM (${keysOf(resource, file)}) WHERE n % ${PIECE_ROWS} = 0
         UNION ALL SELECT *, NULL, n FROM (${keysOf(resource, arriving)})))
     WHERE arrival IS NOT NULL GROUP BY piece ORDER BY piece`,
  )
  return tuples.map((row) => {
    const [piece = 0, first = 0, end = 0] = row.map(Number)
    return { old: { first: piece, end: piece + PIECE_ROWS }, arriving: { first, end } }
  })
}

/** Where many rows arrive in one piece, it is cut at every so many of them. */
async function cutPiece(
  session: Session,
  resource: Resource,
  file: FileToRead,
  arrivingFile: string,
  piece: Piece,
): Promise<readonly Piece[]> {
  const { old, arriving } = piece
  if (arriving.end - arriving.first <= PIECE_ROWS) return [piece]
  const order = orderBy(resource, duckdbDialect)
  const tuples = await session.tuples(
    `SELECT arrival, before FROM (
       SELECT arrival, count(old) OVER (ORDER BY ${order} ROWS UNBOUNDED PRECEDING) AS before FROM (
         SELECT *, n AS old, NULL AS arrival FROM (${keysOf(resource, file)}) WHERE ${isIn(old, 'n')}
         UNION ALL SELECT *, NULL, n FROM (${keysOf(resource, arrivingFile)})
         WHERE ${isIn(arriving, 'n')} AND n > ${arriving.first} AND (n - ${arriving.first}) % ${PIECE_ROWS} = 0))
     WHERE arrival IS NOT NULL ORDER BY arrival`,
  )
  const cuts = tuples.map(([arrival, before]) => {
    return { old: old.first + Number(before), arriving: Number(arrival) }
  })
  const starts = [{ old: old.first, arriving: arriving.first }, ...cuts]
  return starts.map((start, index): Piece => {
    const end = starts[index + 1] ?? { old: old.end, arriving: arriving.end }
    return {
      old: { first: start.old, end: end.old },
      arriving: { first: start.arriving, end: end.arriving },
    }
  })
}

const EVERYTHING: Stretch = { first: 0, end: Number.MAX_SAFE_INTEGER }

/** SELECT of the columns of the order, and the position of each row as `n`. */
function keysOf(resource: Resource, file: FileToRead): string {
  const keys = resource.order.map(({ column }) => identifier(column))
  return `SELECT ${keys.join(', ')}, file_row_number AS n FROM ${scanFile(resource, file)}`
}

function rowsOf(resource: Resource, file: FileToRead, stretch: Stretch): string {
  return `SELECT ${columnsOf(resource)} FROM ${scanFile(resource, file)} WHERE ${isIn(stretch, 'file_row_number')}`
}

function isIn({ first, end }: Stretch, position: string): string {
  return `${position} >= ${first} AND ${position} < ${end}`
}
