import type { Resource } from '../../../catalog/resource.ts'
import { orderOf } from '../../duckdb/catalog-sql.ts'
import type { Session } from '../../duckdb/session.ts'
import { joined, name, type Sql, sql } from '../../duckdb/sql.ts'
import { writeParquetFile } from '../../duckdb/write-parquet.ts'

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

/**
 * Writes a query as a Parquet file in the order of the resource. Rows with long texts are sorted in pieces by the
 * leading column, since one sort would exhaust memory.
 */
export async function writeSorted(
  session: Session,
  resource: Resource,
  rows: Sql,
  to: string,
): Promise<void> {
  const pieces = await divide(session, resource, rows)
  const sorted = pieces.map(
    (isInside) => sql`SELECT * FROM (${rows}) WHERE ${isInside} ORDER BY ${orderOf(resource)}`,
  )
  await writeParquetFile(session, resource, sorted, to)
}

/** Conditions that divide the rows, in order; a single one without long texts. */
async function divide(session: Session, { columns, order }: Resource, rows: Sql): Promise<readonly Sql[]> {
  const long = Object.keys(columns).filter((column) => columns[column]?.kind === 'object')
  const [lead] = order
  if (long.length === 0 || lead === undefined) return [sql`true`]
  const lengths = long.map((column) => sql`coalesce(strlen(${name(column)}), 0)`)
  const column = name(lead.column)
  const weights = sql`SELECT ${column} AS value, ${joined(lengths, ' + ')} AS bytes FROM (${rows})`
  return (await cutPieces(session, weights)).map((piece) => isInPiece(piece, column))
}
