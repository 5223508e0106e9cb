import type { Session } from '../../duckdb/session.ts'
import { joined, type Sql, sql } from '../../duckdb/sql.ts'

/** Bytes per sort; the engine needs several times as much, and spills only narrow rows. */
const PIECE_BYTES = 32 * 1024 * 1024

/** Column values `from` to `to`, exclusive, as SQL literals; undefined is unbounded. */
export interface ValuePiece {
  readonly from: Sql | undefined
  readonly to: Sql | undefined
}

/** Divides rows into pieces to sort one at a time, ascending; `weights` is a query of `value` and `bytes`. */
export async function cutPieces(session: Session, weights: Sql): Promise<readonly ValuePiece[]> {
  const starts = await session.tuples<[string]>(
    sql`SELECT min(value)::VARCHAR FROM (
       SELECT value, (sum(bytes) OVER (ORDER BY value) - bytes) // ${PIECE_BYTES} AS piece FROM (
         SELECT value, sum(bytes) AS bytes FROM (${weights}) GROUP BY value))
     GROUP BY piece ORDER BY min(value)`,
  )
  const cuts = starts.map(([start]) => sql`${start}`)
  // The first piece starts at the least value.
  return cuts.map((from, index) => ({ from: index === 0 ? undefined : from, to: cuts[index + 1] }))
}

/** Condition for a column within a piece; `least` replaces it in the comparison with the end. */
export function isInPiece({ from, to }: ValuePiece, column: Sql, least = column): Sql {
  const bounds = [
    ...(from === undefined ? [] : [sql`${column} >= ${from}`]),
    ...(to === undefined ? [] : [sql`${least} < ${to}`]),
  ]
  return bounds.length === 0 ? sql`true` : joined(bounds, ' AND ')
}
