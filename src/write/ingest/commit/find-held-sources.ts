import { sourceKey } from '../../../lake/facts/source.ts'
import type { TableSnapshot } from '../../../lake/snapshot/snapshot.ts'
import type { DecodedArtifact } from '../decode/decode-artifact.ts'

/**
 * Returns key and SHA-256 of arriving sources that the table has and that may not be replaced. `evenSame` replaces
 * sources with the same bytes too.
 */
export function findHeldSources(
  { sources }: TableSnapshot,
  arriving: readonly Pick<DecodedArtifact, 'source' | 'replaces'>[],
  evenSame = false,
): ReadonlyMap<string, string> {
  const heldSources = new Map<string, string>()
  for (const { source, replaces } of arriving) {
    const held = sources.get(sourceKey(source))
    const mayGo = replaces !== false && (evenSame || replaces === 'same' || held?.sha256 !== source.sha256)
    if (held !== undefined && !mayGo) heldSources.set(sourceKey(source), held.sha256)
  }
  return heldSources
}
