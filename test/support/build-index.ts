import { buildHotspotIndex } from '../../src/hotspot-index/build-index.ts'
import type { Snapshot } from '../../src/lake/snapshot.ts'
import { openRowWriter } from '../../src/services.ts'
import { readSettings } from '../../src/settings.ts'

/** Builds what the hotspot index of a snapshot lacks, of tables of any size; gives what it built. */
export async function buildIndex(lake: string, state: string, at: Snapshot): Promise<readonly string[]> {
  const settings = readSettings({}, { lake, state })
  const built: string[] = []
  await buildHotspotIndex(
    at.tables.filter(({ resource }) => resource.keyed !== undefined),
    {
      stateFolder: state,
      openWriter: (spill) => openRowWriter(settings, spill),
      onYear: ({ resource }, year) => built.push(`${resource.name} ${year}`),
    },
  )
  return built
}
