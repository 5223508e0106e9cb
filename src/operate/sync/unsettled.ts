import { forEachConcurrent } from '../../base/for-each-concurrent.ts'
import { type ArtifactKind, recognisePath } from '../../write/ingest/files/artifact.ts'
import { type StoredObject, StoreFault } from '../object-store/object-store.ts'
import type { TimeRange } from './compare-with-lake.ts'
import type { CountedStore } from './counted-store.ts'
import type { SyncState } from './sync-state.ts'
import { isUnsettled, type LeftObject, reasonOfLeft } from './sync-state.ts'

/** Limit on single lookups in a run; the rest is listed again. */
export const MOST_LOOKUPS = 1000
const AT_ONCE = 8

/** Objects that earlier runs left out, looked up again. */
export interface LookedUpObjects {
  readonly objects: readonly StoredObject[]
  /** Keys that the store no longer has. */
  readonly gone: readonly string[]
  /** Objects for which the lookup failed. */
  readonly unanswered: readonly LeftObject[]
}

/** Keys of selected objects that were refused, or changed after their ingest; oldest first. */
export function unsettledKeys(
  fetched: SyncState['fetched'],
  { kinds, range }: { readonly kinds: readonly ArtifactKind[]; readonly range: TimeRange },
): readonly string[] {
  const keys = Object.keys(fetched).filter((key) => {
    const { kind, createdMs } = recognisePath(key) ?? {}
    const isOfTime = createdMs === undefined || (createdMs >= range.fromMs && createdMs < range.toMs)
    return kind !== undefined && kinds.includes(kind) && isOfTime && isUnsettled(fetched[key] ?? { etag: '' })
  })
  return keys.sort((a, b) => createdOf(a) - createdOf(b))
}

/** Looks up objects that no listing named. Errors: those of `CountedStore.head` that concern all objects. */
export async function lookUpObjects(
  store: CountedStore,
  keys: readonly string[],
  fetched: SyncState['fetched'],
): Promise<LookedUpObjects> {
  const objects: StoredObject[] = []
  const gone: string[] = []
  const unanswered: LeftObject[] = []
  await forEachConcurrent(keys, AT_ONCE, async (key) => {
    try {
      const object = await store.head(key)
      if (object === undefined) gone.push(key)
      else objects.push(object)
    } catch (error) {
      if (!(error instanceof StoreFault && ['passing', 'final'].includes(error.kind))) throw error
      unanswered.push({ key, reason: reasonOfLeft(fetched[key]) })
    }
  })
  return { objects, gone, unanswered }
}

function createdOf(key: string): number {
  return recognisePath(key)?.createdMs ?? 0
}
