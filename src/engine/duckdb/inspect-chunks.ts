import type { Access, Resource } from '../../catalog/resource.ts'
import { areCounts, type Bound, type Chunk, chunkRowsOf, isBound } from '../../lake/chunk.ts'
import { duckdbDialect, identifier } from './duckdb-dialect.ts'
import type { Selected } from './rows-of-result.ts'
import { scanFile } from './scan-files.ts'
import type { Session } from './session.ts'

/** Reads back what the log will tell of every chunk of a file: bounds of columns, and how many rows have each value. */
export async function inspectChunks(
  session: Session,
  resource: Resource,
  { bounds, counts }: Pick<Access, 'bounds' | 'counts'>,
  path: string,
): Promise<readonly Chunk[]> {
  const chunkRows = chunkRowsOf(resource)
  const selected = [
    `file_row_number // ${chunkRows} AS chunk`,
    'count(*) AS rows',
    ...bounds.flatMap((name) => boundsOf(resource, name)),
    ...counts.map(
      (name) => `to_json(histogram(${identifier(name)}))::VARCHAR AS ${identifier(`count ${name}`)}`,
    ),
  ]
  const rows = await session.rows(
    `SELECT ${selected.join(', ')} FROM ${scanFile(resource, path)} GROUP BY chunk ORDER BY chunk`,
  )
  return rows.map((row) => ({
    first: Number(row.chunk) * chunkRows,
    rows: Number(row.rows),
    bounds: Object.fromEntries(bounds.flatMap((name) => toBounds(row, name))),
    counts: Object.fromEntries(counts.flatMap((name) => toCounts(row, name))),
  }))
}

function boundsOf(resource: Resource, name: string): readonly string[] {
  const column = identifier(name)
  const kind = resource.columns[name]?.kind ?? 'text'
  const bound = (f: string, label: string) =>
    `${duckdbDialect.selected(`${f}(${column})`, kind)} AS ${identifier(`${label} ${name}`)}`
  return [bound('min', 'least'), bound('max', 'most'), `count(${column}) AS ${identifier(`known ${name}`)}`]
}

/** Nulls lie outside of any bounds. */
function toBounds(row: Selected, name: string): readonly [string, readonly [Bound, Bound]][] {
  const [least, most] = [row[`least ${name}`] as Bound, row[`most ${name}`] as Bound]
  const isWhole = row[`known ${name}`] === row.rows
  return isWhole && isBound(least) && isBound(most) ? [[name, [least, most]]] : []
}

function toCounts(row: Selected, name: string): readonly [string, Record<string, number>][] {
  const counts = JSON.parse(String(row[`count ${name}`] ?? '{}')) as Record<string, number>
  return areCounts(counts) ? [[name, counts]] : []
}
