import { openKeyIndex } from '../../src/index/keyed/key-index.ts'
import type { Snapshot } from '../../src/lake/snapshot/snapshot.ts'
import { openRowWriter } from '../../src/services/row-writer.ts'
import { readSettings } from '../../src/settings/settings.ts'

/** Builds what the index by hotspot of a snapshot lacks, of tables of any size; gives what it built. */
export async function buildIndex(lake: string, state: string, at: Snapshot): Promise<readonly string[]> {
  const settings = readSettings({}, { lake, state })
  const built: string[] = []
  const index = openKeyIndex(state, (spill) => openRowWriter(settings, spill), 0)
  await index.build(at, {
    onProgress: (sentence) => built.push(sentence.replace(/^gathering the hotspots of (\w+)$/, '$1')),
  })
  index.close?.()
  return built
}
