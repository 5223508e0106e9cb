import { sentenceOf } from '../../base/errors.ts'
import { forEachConcurrent } from '../../base/for-each-concurrent.ts'
import { StoreFault } from '../object-store/object-store.ts'
import { type ArtifactObject, toArtifactObjects } from './compare-with-lake.ts'
import type { CountedStore } from './counted-store.ts'
import { type DownloadFolders, downloadObject, removeFetched } from './download-object.ts'

/** Result of fetching a batch. */
export interface Batch {
  readonly fetched: readonly { readonly object: ArtifactObject; readonly path: string }[]
  readonly failed: readonly { readonly object: ArtifactObject; readonly reason: string }[]
  /** Error that concerns all objects. */
  readonly stoppedBy?: unknown
}

/** Retries of an object that changes while it is fetched. */
const MOST_CHANGES = 3
/** Stop after so many refused objects without a success. */
const MOST_FINALS = 16

/**
 * Fetches objects concurrently. An error that concerns all, such as a spent budget, lets running requests finish and
 * starts no other.
 * Errors: the reason of the signal.
 */
export async function fetchBatch(
  store: CountedStore,
  objects: readonly ArtifactObject[],
  places: DownloadFolders,
  connections: number,
): Promise<Batch> {
  const { signal } = store
  const fetched: { object: ArtifactObject; path: string }[] = []
  const failed: { object: ArtifactObject; reason: string }[] = []
  let stoppedBy: unknown
  let finals = 0

  await forEachConcurrent(objects, connections, async (listed) => {
    if (stoppedBy !== undefined) return
    try {
      fetched.push(await fetchNewest(store, listed, places))
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof StoreFault && ['passing', 'changed', 'final'].includes(error.kind)) {
        failed.push({ object: listed, reason: sentenceOf(error) })
        finals += error.kind === 'final' ? 1 : 0
        if (finals >= MOST_FINALS && fetched.length === 0) stoppedBy ??= error
      } else stoppedBy ??= error
    }
  })
  signal?.throwIfAborted()
  return { fetched, failed, ...(stoppedBy !== undefined && { stoppedBy }) }
}

async function fetchNewest(
  store: CountedStore,
  listed: ArtifactObject,
  places: DownloadFolders,
): Promise<{ object: ArtifactObject; path: string }> {
  let object = listed
  for (let change = 0; ; change += 1) {
    try {
      return { object, path: await downloadObject(store, object, places) }
    } catch (error) {
      if (!(error instanceof StoreFault && error.kind === 'changed')) throw error
      await removeFetched(places, object)
      if (change === MOST_CHANGES) throw error
      const current = await store.head(object.key)
      const [again] = current === undefined ? [] : toArtifactObjects(current)
      if (again === undefined) throw error
      object = again
    }
  }
}
