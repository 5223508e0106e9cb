import { join } from 'node:path'
import { openRowBlocks } from '../../src/index/row-blocks.ts'
import { Lake } from '../../src/lake/snapshot/lake.ts'
import { buildIndex } from './build-index.ts'
import { openTestWriter } from './open-test-writer.ts'

/** Builds row indexes and the indexes by hotspot of tables of any size in the state folder of a lake. */
export async function deriveAll(lake: string): Promise<void> {
  const stateFolder = join(lake, '_state')
  const latest = await new Lake(lake).latest()
  await deriveBlocks(lake)
  await buildIndex(lake, stateFolder, latest)
}

/** Builds row indexes, by files and by columns. */
export async function deriveBlocks(lake: string, stateFolder = join(lake, '_state')): Promise<void> {
  const blocks = openRowBlocks(stateFolder, openTestWriter, { worthwhileRows: 1 })
  await blocks.build(await new Lake(lake).latest())
  blocks.close()
}
