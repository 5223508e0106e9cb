import { rename, rm } from 'node:fs/promises'
import type { Resource } from '../../catalog/resource.ts'
import { chunkRowsOf, fewestFiles } from '../../lake/facts/chunk.ts'
import { scanFile, selectColumns } from '../duckdb/catalog-sql.ts'
import type { Session } from '../duckdb/session.ts'
import { sql } from '../duckdb/sql.ts'
import { writeSequence } from '../duckdb/write-parquet.ts'

/** Splits a sorted file evenly into as few files as the chunk limit allows. */
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
  const selection = sql`SELECT ${selectColumns(resource)} FROM ${scanFile(resource, path)}`
  const parts = await writeSequence(session, resource, selection, folder, groups)
  const paths: string[] = []
  for (const part of parts) {
    const piecePath = await newPath()
    await rename(part, piecePath)
    paths.push(piecePath)
  }
  await rm(folder, { recursive: true })
  await rm(path)
  return paths
}
