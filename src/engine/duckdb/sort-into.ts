import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { Resource } from '../../catalog/resource.ts'
import { CHUNK_ROWS, type ChunkedFile } from '../../lake/chunk.ts'
import { orderBy } from '../sql/compile.ts'
import { duckdbDialect, filePattern, identifier, literal } from './duckdb-dialect.ts'
import { rereadChunks } from './reread-chunks.ts'

/** Some million rows: with more chunks in a file, its own list of them takes longer to read than the rows wanted. */
const CHUNKS_PER_FILE = 48

/**
 * Writes the rows of files that have a value in `column` into a folder, sorted by the order of `resource`, as files
 * that follow each other. Sorting spills to disk; a single thread keeps what is written in order.
 */
export async function sortInto(
  connection: DuckDBConnection,
  resource: Resource,
  column: string,
  files: readonly string[],
  folder: string,
  isDistinct: boolean,
  threads: number,
): Promise<readonly ChunkedFile[]> {
  const columns = Object.keys(resource.columns).map(identifier).join(', ')
  const from = `read_parquet([${files.map((file) => literal(filePattern(file))).join(', ')}], hive_partitioning = false)`
  const rows =
    `SELECT ${isDistinct ? 'DISTINCT ' : ''}${columns} FROM ${from} ` +
    `WHERE ${identifier(column)} IS NOT NULL ORDER BY ${orderBy(resource, duckdbDialect)}`
  await connection.run('SET threads = 1')
  try {
    await connection.run(
      `COPY (${rows}) TO ${literal(folder)} (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE ${CHUNK_ROWS}, ` +
        `ROW_GROUPS_PER_FILE ${CHUNKS_PER_FILE}, PER_THREAD_OUTPUT false, OVERWRITE_OR_IGNORE true)`,
    )
  } finally {
    await connection.run(`SET threads = ${threads}`)
  }
  const { bounds = [], counts = [] } = resource.access ?? {}
  const written: ChunkedFile[] = []
  for (const name of await inOrder(folder)) {
    const path = join(folder, name)
    written.push({ path, chunks: await rereadChunks(connection, resource, { bounds, counts }, path) })
  }
  return written.filter(({ chunks }) => chunks.length > 0)
}

/** `data_2.parquet` comes before `data_10.parquet`. */
async function inOrder(folder: string): Promise<readonly string[]> {
  const numberOf = (name: string) => Number(/\d+/.exec(name)?.[0])
  return (await readdir(folder)).sort((a, b) => numberOf(a) - numberOf(b))
}
