import { join } from 'node:path'
import { openRowBlocks } from '../../src/index/row-blocks.ts'
import { Lake } from '../../src/lake/lake.ts'
import { openSortedCopies } from '../../src/sorted-copies/sorted-copies.ts'
import { buildIndex } from './build-index.ts'
import { openTestWriter } from './open-test-writer.ts'

/** Builds sorted copies, row blocks and the indexes by hotspot of tables of any size in the state folder of a lake. */
export async function deriveAll(lake: string): Promise<void> {
  const stateFolder = join(lake, '_state')
  const latest = await new Lake(lake).latest()
  await deriveBlocks(lake)
  await buildIndex(lake, stateFolder, latest)
}

/** Builds sorted copies, and the blocks of their rows and of those of the tables. */
export async function deriveBlocks(lake: string): Promise<void> {
  const stateFolder = join(lake, '_state')
  const latest = await new Lake(lake).latest()
  const sortedCopies = openSortedCopies(stateFolder, openTestWriter, 1)
  await sortedCopies.build(latest)
  const blocks = openRowBlocks(stateFolder, openTestWriter, sortedCopies, 1)
  await blocks.build(latest)
  blocks.close()
}
