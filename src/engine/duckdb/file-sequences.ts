import { rename, rm } from 'node:fs/promises'
import type { Resource } from '../../catalog/resource.ts'
import { type ChunkedFile, chunkRowsOf, fewestFiles, MOST_CHUNKS } from '../../lake/chunk.ts'
import type { FileToRead } from '../../lake/data-file.ts'
import { columnsOf, orderOf, scanFile, sweepOf } from './catalog-sql.ts'
import { inspectChunks } from './inspect-chunks.ts'
import { rowsToCopy } from './rows-to-copy.ts'
import type { Session } from './session.ts'
import { sql } from './sql.ts'
import { writeSequence } from './write-parquet.ts'

/** Writes copied rows or pointers into a folder, sorted by the order of `resource`, as files that follow each other. Sorting spills to disk. */
export async function sortInto(
  session: Session,
  resource: Resource,
  column: string,
  files: readonly FileToRead[],
  folder: string,
  firstRow?: string,
): Promise<readonly ChunkedFile[]> {
  const rows = sql`${rowsToCopy(resource, files, { column, firstRow })} ORDER BY ${orderOf(resource)}`
  const paths = await writeSequence(session, resource, rows, folder, MOST_CHUNKS)
  const { bounds = [], counts = [] } = resource.access ?? {}
  const written: ChunkedFile[] = []
  for (const path of paths) {
    const chunks = await inspectChunks(session, resource, { bounds, counts }, sweepOf(resource, [path]))
    written.push({ path, chunks: chunks.get(0) ?? [] })
  }
  return written.filter(({ chunks }) => chunks.length > 0)
}

/** Splits a sorted file into as few files as have not too many chunks, each about as long as the others. */
export async function splitFile(
  session: Session,
  resource: Resource,
  path: string,
  newPath: () => Promise<string>,
): Promise<readonly string[]> {
  if (resource.access === undefined) return [path]
  const rows = await session.number(sql`SELECT count(*) FROM ${scanFile(resource, path)}`)
  const files = fewestFiles(resource, rows)
  if (files === 1) return [path]
  const groups = Math.ceil(Math.ceil(rows / chunkRowsOf(resource)) / files)
  const folder = `${path}.parts`
  const all = sql`SELECT ${columnsOf(resource)} FROM ${scanFile(resource, path)}`
  const parts = await writeSequence(session, resource, all, folder, groups)
  const paths: string[] = []
  for (const part of parts) {
    const place = await newPath()
    await rename(part, place)
    paths.push(place)
  }
  await rm(folder, { recursive: true })
  await rm(path)
  return paths
}
