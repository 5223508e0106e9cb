import type { Session } from '../../duckdb/session.ts'
import { joined, type Sql, sql } from '../../duckdb/sql.ts'

/** Rows of so many bytes are sorted together; the engine needs several times as much, and spills only narrow rows. */
const PIECE_BYTES = 32 * 1024 * 1024

/** Values of a column from `from` up to but not including `to`, as SQL literals; all on a side that has none. */
export interface Piece {
  readonly from: Sql | undefined
  readonly to: Sql | undefined
}

/** Divides rows into pieces that are sorted one at a time, ascending; `weights` is a query of `value` and `bytes`. */
export async function cutPieces(session: Session, weights: Sql): Promise<readonly Piece[]> {
  const starts = await session.tuples<[string]>(
    sql`SELECT min(value)::VARCHAR FROM (
       SELECT value, (sum(bytes) OVER (ORDER BY value) - bytes) // ${PIECE_BYTES} AS piece FROM (
         SELECT value, sum(bytes) AS bytes FROM (${weights}) GROUP BY value))
     GROUP BY piece ORDER BY min(value)`,
  )
  const cuts = starts.map(([start]) => sql`${start}`)
  // What begins the first piece is the least value of all.
  return cuts.map((from, index) => ({ from: index === 0 ? undefined : from, to: cuts[index + 1] }))
}

/** Condition that a column lies in a piece; `least` takes its place where it is compared with the end. */
export function isInPiece({ from, to }: Piece, column: Sql, least = column): Sql {
  const bounds = [
    ...(from === undefined ? [] : [sql`${column} >= ${from}`]),
    ...(to === undefined ? [] : [sql`${least} < ${to}`]),
  ]
  return bounds.length === 0 ? sql`true` : joined(bounds, ' AND ')
}
