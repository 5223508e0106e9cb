import type { Coverage } from '../answers/coverage/coverage.ts'
import { sentenceOf } from '../base/errors.ts'
import { hasDays } from '../catalog/embeddings.ts'
import { rewardManifests } from '../catalog/l2/reward-manifests.ts'
import { resources } from '../catalog/resources.ts'
import type { Snapshot } from '../lake/snapshot/snapshot.ts'
import { openServices } from '../services/services.ts'
import type { Settings } from '../settings/settings.ts'

/**
 * How complete each table of days is, by its name, also one that only manifests name files of; `fault` says why that cannot
 * be told. Opens an engine only where there is such a table.
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
