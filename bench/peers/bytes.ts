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
  /** Live Parquet files, the log beside them, and what is derived by hotspot. */
  readonly files: number
  readonly log: number
  readonly index: number
  /** Bytes of each column in the files, most first. */
  readonly columns: readonly (readonly [string, number])[]
}

export async function bytesOfShares(setup: Setup): Promise<readonly TableBytes[]> {
  return [await bytesOf(setup, iotRewardShares), await bytesOf(setup, mobileRewardShares)]
}

async function bytesOf({ lake, at, duckdb }: Setup, resource: Resource): Promise<TableBytes> {
  const { files, rows } = at.table(resource)
  return {
    table: resource.name,
    rows,
    files: files.reduce((sum, { path }) => sum + statSync(path).size, 0),
    log: bytesBelow(join(lake, resource.name, '_delta_log')),
    index: ['hotspot-index', 'hotspot-sums'].reduce(
      (sum, name) => sum + bytesBelow(join(lake, '_state', name, resource.name)),
      0,
    ),
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

function bytesBelow(folder: string): number {
  if (!existsSync(folder)) return 0
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(folder, name)))
    .filter((found) => found.isFile())
    .reduce((sum, found) => sum + found.size, 0)
}
