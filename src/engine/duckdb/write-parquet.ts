import { readdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { Resource } from '../../catalog/resource.ts'
import { chunkRowsOf } from '../../lake/chunk.ts'
import { columnTypes, filePattern, identifier, literal } from './duckdb-dialect.ts'

/** Row groups below some 60,000 rows cost more in pruning than they save in decoding. */
const ROW_GROUP_ROWS = 122_880

/** Where requests ask for single chunks, a chunk is a row group. */
export function groupRowsOf(resource: Resource): number {
  return resource.access === undefined ? ROW_GROUP_ROWS : chunkRowsOf(resource)
}

/**
 * Writes the rows of queries, one after the other, as one Parquet file; then the engine has `threads` again. One thread
 * takes the least memory and keeps the order of one query. That of several in one statement DuckDB 1.5.6 does not always
 * keep, so each becomes a file, and one query goes through the files.
 */
export async function writeParquet(
  connection: DuckDBConnection,
  queries: readonly string[],
  path: string,
  threads: number,
  groupRows = ROW_GROUP_ROWS,
): Promise<void> {
  const [only = '', ...others] = queries
  await connection.run('SET threads = 1')
  try {
    if (others.length === 0) return await copyTo(connection, only, path, 'zstd', groupRows)
    const parts = queries.map((_, index) => `${path}.part-${index}`)
    for (const [index, part] of parts.entries()) {
      await copyTo(connection, queries[index] ?? '', part, 'snappy', ROW_GROUP_ROWS)
    }
    const list = parts.map((part) => literal(filePattern(part))).join(', ')
    const all = `SELECT * FROM read_parquet([${list}], hive_partitioning = false)`
    await copyTo(connection, all, path, 'zstd', groupRows)
    for (const part of parts) await unlink(part)
  } finally {
    await connection.run(`SET threads = ${threads}`)
  }
}

async function copyTo(
  connection: DuckDBConnection,
  query: string,
  path: string,
  compression: 'zstd' | 'snappy',
  groupRows: number,
): Promise<void> {
  await connection.run(
    `COPY (${query}) TO ${literal(path)} (FORMAT parquet, COMPRESSION ${compression}, ROW_GROUP_SIZE ${groupRows})`,
  )
}

/**
 * Writes the rows of a query, in its order, as files of a folder that follow each other, and gives their paths.
 * A single thread keeps the order.
 */
export async function writeSequence(
  connection: DuckDBConnection,
  query: string,
  folder: string,
  threads: number,
  { groupRows, groups }: { readonly groupRows: number; readonly groups: number },
): Promise<readonly string[]> {
  await connection.run('SET threads = 1')
  try {
    await connection.run(
      `COPY (${query}) TO ${literal(folder)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${groupRows}, ` +
        `ROW_GROUPS_PER_FILE ${groups}, PER_THREAD_OUTPUT false, OVERWRITE_OR_IGNORE true)`,
    )
  } finally {
    await connection.run(`SET threads = ${threads}`)
  }
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
