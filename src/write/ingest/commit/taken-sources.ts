import { sourceKey } from '../../../lake/facts/source.ts'
import type { TableSnapshot } from '../../../lake/snapshot/snapshot.ts'
import type { DecodedArtifact } from '../decode/decode-artifact.ts'

/**
 * The arriving sources that a table has and that may not be replaced, as key and SHA-256: they are left out. One with the
 * same bytes is in already; `evenSame` replaces it too.
 */
export function takenSources(
  { sources }: TableSnapshot,
  arriving: readonly Pick<DecodedArtifact, 'source' | 'replaces'>[],
  evenSame = false,
): ReadonlyMap<string, string> {
  const taken = new Map<string, string>()
  for (const { source, replaces } of arriving) {
    const known = sources.get(sourceKey(source))
    const mayGo = replaces !== false && (evenSame || replaces === 'same' || known?.sha256 !== source.sha256)
    if (known !== undefined && !mayGo) taken.set(sourceKey(source), known.sha256)
  }
  return taken
}
