import { join } from 'node:path'
import { openDuckdbRowWriter, type RowWriter } from '../../src/engine/duckdb/duckdb-row-writer.ts'
import { Lake } from '../../src/lake/lake.ts'
import { buildSortedCopies } from '../../src/sorted-copies/build-copies.ts'
import { openSortedCopies } from '../../src/sorted-copies/sorted-copies.ts'
import { buildIndex } from './build-index.ts'

export function openTestWriter(spillFolder: string): Promise<RowWriter> {
  return openDuckdbRowWriter({ spillFolder, memoryMb: 256, threads: 2 })
}

/** Builds the sorted copies and the hotspot index of tables of any size in the state folder of a lake. */
export async function deriveAll(lake: string): Promise<void> {
  const stateFolder = join(lake, '_state')
  const latest = await new Lake(lake).latest()
  const missing = await openSortedCopies(stateFolder, 1).load(latest)
  await buildSortedCopies(missing, { stateFolder, openWriter: openTestWriter })
  await buildIndex(lake, stateFolder, latest)
}
