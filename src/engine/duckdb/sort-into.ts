import type { Resource } from '../../catalog/resource.ts'
import { type ChunkedFile, chunkRowsOf, MOST_CHUNKS } from '../../lake/chunk.ts'
import type { FileToRead } from '../../lake/data-file.ts'
import { orderBy } from '../sql/compile.ts'
import { columnsOf, duckdbDialect, identifier } from './duckdb-dialect.ts'
import { inspectChunks } from './inspect-chunks.ts'
import { scanFiles } from './scan-files.ts'
import type { Session } from './session.ts'
import { writeSequence } from './write-parquet.ts'

/**
 * Writes the rows of files that have a value in `column` into a folder, sorted by the order of `resource`, as files
 * that follow each other. Sorting spills to disk.
 */
export async function sortInto(
  session: Session,
  resource: Resource,
  column: string,
  files: readonly FileToRead[],
  folder: string,
  isDistinct: boolean,
): Promise<readonly ChunkedFile[]> {
  const rows =
    `SELECT ${isDistinct ? 'DISTINCT ' : ''}${columnsOf(resource)} FROM ${scanFiles(resource, files)} ` +
    `WHERE ${identifier(column)} IS NOT NULL ORDER BY ${orderBy(resource, duckdbDialect)}`
  const paths = await writeSequence(session, rows, folder, {
    groupRows: chunkRowsOf(resource),
    groups: MOST_CHUNKS,
  })
  const { bounds = [], counts = [] } = resource.access ?? {}
  const written: ChunkedFile[] = []
  for (const path of paths) {
    written.push({ path, chunks: await inspectChunks(session, resource, { bounds, counts }, path) })
  }
  return written.filter(({ chunks }) => chunks.length > 0)
}
