import type { Coverage } from '../answers/coverage/coverage.ts'
import { sentenceOf } from '../base/errors.ts'
import { hasDays } from '../catalog/embeddings.ts'
import { rewardManifests } from '../catalog/l2/reward-manifests.ts'
import { resources } from '../catalog/resources.ts'
import type { Snapshot } from '../lake/snapshot/snapshot.ts'
import { openServices } from '../services/services.ts'
import type { Settings } from '../services/settings/settings.ts'

/**
 * Reads the coverage of each table with days, by name, including empty tables whose files manifests name. `fault` says
 * why coverage is unknown. Opens an engine only if there is such a table.
 */
export async function readCoverages(
  settings: Settings,
  at: Snapshot,
): Promise<{ readonly coverages: ReadonlyMap<string, Coverage>; readonly fault?: string }> {
  const coverages = new Map<string, Coverage>()
  const hasAny = at.tables.some(({ resource }) => hasDays(resource) || resource === rewardManifests)
  if (!hasAny) return { coverages }
  const { repository, close } = await openServices(settings)
  try {
    await repository.coverages.read(at)
    for (const resource of resources.filter(hasDays)) {
      const span = repository.coverages.span(resource, at)
      const coverage = span && repository.coverages.peek(resource, at)?.over(span)
      if (coverage !== undefined) coverages.set(resource.name, coverage)
    }
    return { coverages }
  } catch (error) {
    return { coverages, fault: sentenceOf(error) }
  } finally {
    await close()
  }
}
