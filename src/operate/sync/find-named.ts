import { recognisePath } from '../../write/ingest/files/artifact.ts'
import type { BucketState } from './compare-bucket.ts'
import { type ArtifactObject, toArtifactObjects } from './compare-with-lake.ts'
import type { CountedStore } from './counted-store.ts'
import type { SyncState } from './sync-state.ts'

/** Missing files are looked up again after a day. */
const AGAIN_MS = 86_400_000
/** Each lookup costs a request. */
const MOST_AT_ONCE = 1000

/**
 * Looks up files by name in the folders of series that were listed from a later time. Returns the objects, and the
 * missing names.
 */
export async function findNamedFiles(
  store: CountedStore,
  names: readonly string[],
  listedFrom: BucketState['listedFrom'],
  missing: SyncState['missing'],
  nowMs: number,
): Promise<{ readonly found: readonly ArtifactObject[]; readonly missing: SyncState['missing'] }> {
  const foundObjects: ArtifactObject[] = []
  const absent = Object.fromEntries(Object.entries(missing).filter(([name]) => names.includes(name)))
  const due = names.filter((name) => nowMs - (absent[name] ?? Number.NEGATIVE_INFINITY) >= AGAIN_MS)
  for (const name of due.slice(0, MOST_AT_ONCE)) {
    const objects = await lookFor(store, name, listedFrom)
    if (objects.length === 0) absent[name] = nowMs
    else delete absent[name]
    foundObjects.push(...objects)
  }
  return { found: foundObjects, missing: absent }
}

async function lookFor(
  store: CountedStore,
  name: string,
  listedFrom: BucketState['listedFrom'],
): Promise<readonly ArtifactObject[]> {
  const createdMs = recognisePath(name)?.createdMs ?? 0
  for (const [prefix, fromMs] of Object.entries(listedFrom)) {
    const isKin = name.startsWith(prefix.slice(prefix.lastIndexOf('/') + 1))
    // The listing of this run covers later files.
    if (!isKin || createdMs >= fromMs) continue
    const key = prefix.slice(0, prefix.lastIndexOf('/') + 1) + name
    const object = await store.head(key)
    if (object !== undefined) return toArtifactObjects(object)
  }
  return []
}
