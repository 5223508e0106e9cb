import type { Access, Resource } from '../../catalog/resource.ts'
import { areCounts, type Bound, type Chunk, chunkRowsOf, isBound } from '../../lake/facts/chunk.ts'
import { byFile, exact, type Sweep } from '../duckdb/catalog-sql.ts'
import type { Selected } from '../duckdb/rows-of-result.ts'
import type { Session } from '../duckdb/session.ts'
import { name, type Sql, sql } from '../duckdb/sql.ts'

/** Reads the chunk statistics of files by index: bounds of columns, and row counts by value. */
export async function inspectChunks(
  session: Session,
  resource: Resource,
  { bounds, counts }: Pick<Access, 'bounds' | 'counts'>,
  { from, file, by }: Sweep,
): Promise<ReadonlyMap<number, readonly Chunk[]>> {
  const chunkRows = chunkRowsOf(resource)
  const selected = [
    file,
    sql`file_row_number // ${chunkRows} AS chunk`,
    sql`count(*) AS rows`,
    ...bounds.flatMap((column) => boundsOf(resource, column)),
    ...bounds.map((column) => sql`count(${name(column)}) AS ${name(`known ${column}`)}`),
    ...counts.map(
      (column) => sql`to_json(histogram(${name(column)}))::VARCHAR AS ${name(`count ${column}`)}`,
    ),
  ]
  const rows = await session.rows(
    sql`SELECT ${selected} FROM ${from} GROUP BY ${[...by, sql`chunk`]} ORDER BY chunk`,
  )
  return byFile(rows, (fileChunks) =>
    fileChunks.map((row) => ({
      first: Number(row.chunk) * chunkRows,
      rows: Number(row.rows),
      bounds: Object.fromEntries(bounds.flatMap((column) => toBounds(row, column))),
      counts: Object.fromEntries(counts.flatMap((column) => toCounts(row, column))),
    })),
  )
}

/** SELECT items of the minimum and maximum of a column. */
export function boundsOf(resource: Resource, column: string): readonly Sql[] {
  return [
    sql`${exact(resource, column, sql`min(${name(column)})`)} AS ${name(`least ${column}`)}`,
    sql`${exact(resource, column, sql`max(${name(column)})`)} AS ${name(`most ${column}`)}`,
  ]
}

/** Bounds ignore nulls. */
function toBounds(row: Selected, column: string): readonly [string, readonly [Bound, Bound]][] {
  const [least, most] = [row[`least ${column}`], row[`most ${column}`]]
  const isWhole = row[`known ${column}`] === row.rows
  return isWhole && isBound(least) && isBound(most) ? [[column, [least, most]]] : []
}

function toCounts(row: Selected, column: string): readonly [string, Record<string, number>][] {
  const counts = JSON.parse(String(row[`count ${column}`] ?? '{}')) as Record<string, number>
  return areCounts(counts) ? [[column, counts]] : []
}
