import { literal } from './duckdb-dialect.ts'
import type { Session } from './session.ts'

/** Rows of so many bytes are sorted together; the engine needs several times as much, and spills only narrow rows. */
const PIECE_BYTES = 32 * 1024 * 1024

/** Values of a column from `from` up to but not including `to`, as SQL literals; all on a side that has none. */
export interface Piece {
  readonly from: string | undefined
  readonly to: string | undefined
}

/** Divides rows into pieces that are sorted one at a time, ascending; `weights` is a query of `value` and `bytes`. */
export async function cutPieces(session: Session, weights: string): Promise<readonly Piece[]> {
  const starts = await session.tuples(
    `SELECT min(value)::VARCHAR FROM (
       SELECT value, (sum(bytes) OVER (ORDER BY value) - bytes) // ${PIECE_BYTES} AS piece FROM (
         SELECT value, sum(bytes) AS bytes FROM (${weights}) GROUP BY value))
     GROUP BY piece ORDER BY min(value)`,
  )
  const cuts = starts.map(([start]) => literal(String(start)))
  // What begins the first piece is the least value of all.
  return cuts.map((from, index) => ({ from: index === 0 ? undefined : from, to: cuts[index + 1] }))
}

/** Condition that a column lies in a piece; `least` takes its place where it is compared with the end. */
export function isInPiece({ from, to }: Piece, column: string, least = column): string {
  const bounds = [
    ...(from === undefined ? [] : [`${column} >= ${from}`]),
    ...(to === undefined ? [] : [`${least} < ${to}`]),
  ]
  return bounds.length === 0 ? 'true' : bounds.join(' AND ')
}
