import { rename, rm } from 'node:fs/promises'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { Resource } from '../../catalog/resource.ts'
import { chunkRowsOf, fewestFiles } from '../../lake/chunk.ts'
import { identifier } from './duckdb-dialect.ts'
import { scanFile } from './scan-files.ts'
import { writeSequence } from './write-parquet.ts'

/** Cuts a sorted file into as few files as have not too many chunks, each about as long as the others. */
export async function cutFile(
  connection: DuckDBConnection,
  resource: Resource,
  path: string,
  newPath: () => Promise<string>,
  threads: number,
): Promise<readonly string[]> {
  if (resource.access === undefined) return [path]
  const groupRows = chunkRowsOf(resource)
  const rows = await countRows(connection, resource, path)
  const files = fewestFiles(resource, rows)
  if (files === 1) return [path]
  const groups = Math.ceil(Math.ceil(rows / groupRows) / files)
  const columns = Object.keys(resource.columns).map(identifier).join(', ')
  const folder = `${path}.parts`
  const all = `SELECT ${columns} FROM ${scanFile(resource, path)}`
  const parts = await writeSequence(connection, all, folder, threads, { groupRows, groups })
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

async function countRows(connection: DuckDBConnection, resource: Resource, path: string): Promise<number> {
  const reader = await connection.runAndReadAll(`SELECT count(*)::INTEGER FROM ${scanFile(resource, path)}`)
  return reader.getRowsJS()[0]?.[0] as number
}
