import { join } from 'node:path'
import { openKeyIndex } from '../../../src/index/keyed/key-index.ts'
import { openRowBlocks } from '../../../src/index/row-blocks.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import type { Snapshot } from '../../../src/lake/snapshot/snapshot.ts'
import { openRowReader } from '../../../src/services/row-writer.ts'
import { readSettings } from '../../../src/services/settings/settings.ts'
import { openTestWriter } from '../open-test-writer.ts'

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

/** Builds what the index by hotspot of a snapshot lacks, of tables of any size; gives what it built. */
export async function buildIndex(lake: string, state: string, at: Snapshot): Promise<readonly string[]> {
  const settings = readSettings({}, { lake, state })
  const built: string[] = []
  const index = openKeyIndex(state, (spill) => openRowReader(settings, spill), 0)
  await index.build(at, {
    onProgress: (sentence) => built.push(sentence.replace(/^gathering the hotspots of (\w+)$/, '$1')),
  })
  index.close?.()
  return built
}
