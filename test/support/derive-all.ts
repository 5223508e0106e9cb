import { join } from 'node:path'
import { openHotspotSums } from '../../src/hotspot-sums/hotspot-sums.ts'
import { Lake } from '../../src/lake/lake.ts'
import { openSortedCopies } from '../../src/sorted-copies/sorted-copies.ts'
import { buildIndex } from './build-index.ts'
import { openTestWriter } from './open-test-writer.ts'

/** Builds the sorted copies, the hotspot index and the sums of hotspots of tables of any size in the state folder of a lake. */
export async function deriveAll(lake: string): Promise<void> {
  const stateFolder = join(lake, '_state')
  const latest = await new Lake(lake).latest()
  await openSortedCopies(stateFolder, openTestWriter, 1).build(latest)
  await openHotspotSums(stateFolder, openTestWriter, 1).build(latest)
  await buildIndex(lake, stateFolder, latest)
}
