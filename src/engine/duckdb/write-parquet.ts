import { readdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Resource } from '../../catalog/resource.ts'
import { chunkRowsOf } from '../../lake/chunk.ts'
import { columnTypes, identifier, literal, scanPaths } from './duckdb-dialect.ts'
import type { Session } from './session.ts'

/** Row groups below some 60,000 rows cost more in pruning than they save in decoding. */
const ROW_GROUP_ROWS = 122_880

/** Where requests ask for single chunks, a chunk is a row group. */
export function groupRowsOf(resource: Resource): number {
  return resource.access === undefined ? ROW_GROUP_ROWS : chunkRowsOf(resource)
}

/**
 * Writes the rows of queries, one after the other, as one Parquet file. One thread keeps the order of one query, but
 * not always that of several in one statement (DuckDB 1.5.6): so each becomes a file, and one query reads the files.
 */
export async function writeParquet(
  session: Session,
  queries: readonly string[],
  path: string,
  groupRows = ROW_GROUP_ROWS,
): Promise<void> {
  const [only = '', ...others] = queries
  await session.onOneThread(async () => {
    if (others.length === 0) return await copyTo(session, only, path, 'zstd', groupRows)
    const parts = queries.map((_, index) => `${path}.part-${index}`)
    for (const [index, part] of parts.entries()) {
      await copyTo(session, queries[index] ?? '', part, 'snappy', ROW_GROUP_ROWS)
    }
    await copyTo(session, `FROM ${scanPaths(parts)}`, path, 'zstd', groupRows)
    for (const part of parts) await unlink(part)
  })
}

async function copyTo(
  session: Session,
  query: string,
  path: string,
  compression: 'zstd' | 'snappy',
  groupRows: number,
): Promise<void> {
  await session.run(
    `COPY (${query}) TO ${literal(path)} (FORMAT parquet, COMPRESSION ${compression}, ROW_GROUP_SIZE ${groupRows})`,
  )
}

/**
 * Writes the rows of a query, in its order, as files of a folder that follow each other, and gives their paths.
 * A single thread keeps the order.
 */
export async function writeSequence(
  session: Session,
  query: string,
  folder: string,
  { groupRows, groups }: { readonly groupRows: number; readonly groups: number },
): Promise<readonly string[]> {
  await session.onOneThread(() =>
    session.run(
      `COPY (${query}) TO ${literal(folder)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${groupRows}, ` +
        `ROW_GROUPS_PER_FILE ${groups}, PER_THREAD_OUTPUT false, OVERWRITE_OR_IGNORE true)`,
    ),
  )
  // `data_2.parquet` comes before `data_10.parquet`.
  const numberOf = (name: string) => Number(/\d+/.exec(name)?.[0])
  const names = (await readdir(folder)).sort((a, b) => numberOf(a) - numberOf(b))
  return names.map((name) => join(folder, name))
}

/** A source may have no rows at all, yet it is in: its file has columns and nothing else. */
export function noRows(resource: Resource): string {
  const columns = Object.entries(resource.columns).map(
    ([name, column]) => `NULL::${columnTypes[column.kind]} AS ${identifier(name)}`,
  )
  return `SELECT ${columns.join(', ')} WHERE false`
}
