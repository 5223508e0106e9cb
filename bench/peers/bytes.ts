import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import { mobileRewardShares } from '../../src/catalog/l2/mobile-reward-shares.ts'
import type { Resource } from '../../src/catalog/resource.ts'
import type { Setup } from './setup.ts'

/** What the shares of one table cost on disk. */
export interface TableBytes {
  readonly table: string
  readonly rows: number
  /** Live Parquet files, the log beside them, and everything that is derived from the table. */
  readonly files: number
  readonly log: number
  readonly index: number
  /** Bytes of each column in the files, most first. */
  readonly columns: readonly (readonly [string, number])[]
}

type Stored = Pick<Setup, 'lake' | 'at' | 'duckdb'>

export async function bytesOfShares(stored: Stored): Promise<readonly TableBytes[]> {
  return [await bytesOf(stored, iotRewardShares), await bytesOf(stored, mobileRewardShares)]
}

async function bytesOf({ lake, at, duckdb }: Stored, resource: Resource): Promise<TableBytes> {
  const { files, rows } = at.table(resource)
  return {
    table: resource.name,
    rows,
    files: files.reduce((sum, { path }) => sum + statSync(path).size, 0),
    log: bytesBelow(join(lake, resource.name, '_delta_log')),
    index: derivedBytes(join(lake, '_state'), resource.name),
    columns: await columnBytes(
      duckdb,
      files.map((file) => file.path),
    ),
  }
}

async function columnBytes(duckdb: DuckDBConnection, paths: readonly string[]) {
  const list = paths.map((path) => `'${path}'`).join(', ')
  const reader = await duckdb.runAndReadAll(
    `SELECT path_in_schema AS name, sum(total_compressed_size)::BIGINT AS bytes
     FROM parquet_metadata([${list}]) GROUP BY name ORDER BY bytes DESC, name`,
  )
  return reader.getRowObjectsJS().map(({ name, bytes }) => [String(name), Number(bytes)] as const)
}

/** Whatever was derived from a table: each kind of it has a folder with one for each table. */
export function derivedBytes(state: string, table: string): number {
  return readdirSync(state).reduce((sum, kind) => sum + bytesBelow(join(state, kind, table)), 0)
}

export function bytesBelow(folder: string): number {
  if (!existsSync(folder)) return 0
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name)))
    .filter((found) => found.isFile())
    .reduce((sum, found) => sum + found.size, 0)
}
