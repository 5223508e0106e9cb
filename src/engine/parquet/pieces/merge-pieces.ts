import type { RowRange } from '../../../catalog/query/plan.ts'
import type { Resource } from '../../../catalog/resource.ts'
import type { FileToRead } from '../../../lake/facts/data-file.ts'
import { orderOf, scanFile } from '../../duckdb/catalog-sql.ts'
import type { Session } from '../../duckdb/session.ts'
import { name, type Sql, sql } from '../../duckdb/sql.ts'

/** Rows per file in a sort; a quarter of a row group. */
const PIECE_ROWS = 30_720

/** Two sorted files of a resource, and the session. */
export interface Merge {
  readonly session: Session
  readonly resource: Resource
  readonly file: FileToRead
  readonly arriving: string
}

/** Rows `first` to `end`, exclusive, of a file. */
export type FileRows = Pick<RowRange, 'first' | 'end'>

/** Rows of two sorted files that are adjacent after a merge. */
export interface MergePiece {
  readonly old: FileRows
  readonly arriving: FileRows
}

/** Pieces of a file with arriving rows, ascending; the first includes earlier rows. */
export async function locateArrivals({
  session,
  resource,
  file,
  arriving,
}: Merge): Promise<readonly MergePiece[]> {
  const tuples = await session.tuples(
    sql`SELECT piece, min(arrival), max(arrival) + 1 FROM (
       SELECT arrival, coalesce(max(old) OVER (ORDER BY ${orderOf(resource)} ROWS UNBOUNDED PRECEDING), 0) AS piece FROM (
         SELECT *, n AS old, NULL AS arrival FROM (${selectKeys(resource, file)}) WHERE n % ${PIECE_ROWS} = 0
         UNION ALL SELECT *, NULL, n FROM (${selectKeys(resource, arriving)})))
     WHERE arrival IS NOT NULL GROUP BY piece ORDER BY piece`,
  )
  return tuples.map((row) => {
    const [piece = 0, first = 0, end = 0] = row.map(Number)
    return { old: { first: piece, end: piece + PIECE_ROWS }, arriving: { first, end } }
  })
}

/** Splits a piece with many arriving rows. */
export async function cutPiece(merge: Merge, piece: MergePiece): Promise<readonly MergePiece[]> {
  const { session, resource, file } = merge
  const { old, arriving } = piece
  if (arriving.end - arriving.first <= PIECE_ROWS) return [piece]
  const n = sql`n`
  const tuples = await session.tuples(
    sql`SELECT arrival, before FROM (
       SELECT arrival, count(old) OVER (ORDER BY ${orderOf(resource)} ROWS UNBOUNDED PRECEDING) AS before FROM (
         SELECT *, n AS old, NULL AS arrival FROM (${selectKeys(resource, file)}) WHERE ${isIn(old, n)}
         UNION ALL SELECT *, NULL, n FROM (${selectKeys(resource, merge.arriving)})
         WHERE ${isIn(arriving, n)} AND n > ${arriving.first} AND (n - ${arriving.first}) % ${PIECE_ROWS} = 0))
     WHERE arrival IS NOT NULL ORDER BY arrival`,
  )
  const cuts = tuples.map(([arrival, before]) => ({
    old: old.first + Number(before),
    arriving: Number(arrival),
  }))
  const starts = [{ old: old.first, arriving: arriving.first }, ...cuts]
  return starts.map((start, index): MergePiece => {
    const end = starts[index + 1] ?? { old: old.end, arriving: arriving.end }
    return {
      old: { first: start.old, end: end.old },
      arriving: { first: start.arriving, end: end.arriving },
    }
  })
}

/** SELECT of the order columns, and row numbers as `n`. */
function selectKeys(resource: Resource, file: FileToRead): Sql {
  const keys = resource.order.map(({ column }) => name(column))
  return sql`SELECT ${keys}, file_row_number AS n FROM ${scanFile(resource, file)}`
}

/** Condition for a row number within rows. */
export function isIn({ first, end }: FileRows, number: Sql): Sql {
  return sql`${number} >= ${first} AND ${number} < ${end}`
}
