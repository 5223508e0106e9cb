import type { Resource } from '../../../catalog/resource.ts'
import { orderOf } from '../../duckdb/catalog-sql.ts'
import type { Session } from '../../duckdb/session.ts'
import { joined, name, type Sql, sql } from '../../duckdb/sql.ts'
import { writeParquetFile } from '../../duckdb/write-parquet.ts'
import { cutPieces, isInPiece } from './pieces.ts'

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
