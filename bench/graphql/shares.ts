import { join } from 'node:path'
import type { DuckDBConnection } from '@duckdb/node-api'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import { positionOf, writeCursor } from '../../src/catalog/query/cursor.ts'
import { program, runToEnd } from '../support/program.ts'

/** Exports the IoT shares of a lake below `parent`, and returns SQL for the file; `place` counts rows from 1 in the order of the list. */
export async function exportShares(lake: string, parent: string): Promise<string> {
  const file = join(parent, 'shares.parquet')
  const range = ['--from', '2000-01-01', '--to', '2100-01-01']
  await runToEnd([program, 'export', iotRewardShares.name, '--lake', lake, ...range, '--out', file])
  return `(SELECT *, file_row_number + 1 AS place FROM read_parquet('${file}', file_row_number = true))`
}

/** Returns our cursor of each place. */
export async function cursorsOf(
  duckdb: DuckDBConnection,
  shares: string,
  places: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const reader = await duckdb.runAndReadAll(
    `SELECT place, epoch_us(end_period) AS end_period, reward_type, source_file, hotspot_key, ordinal
     FROM ${shares} WHERE place IN (${[0, ...places].join(', ')})`,
  )
  const rows = reader.getRowObjectsJS() as Record<string, bigint | string | null>[]
  return new Map(
    rows.map((row) => [Number(row.place), writeCursor(iotRewardShares, positionOf(iotRewardShares, row))]),
  )
}
