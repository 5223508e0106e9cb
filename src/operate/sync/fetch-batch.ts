import { sentenceOf } from '../../base/errors.ts'
import { StoreFault } from '../object-store/object-store.ts'
import { type ArtifactObject, toArtifactObjects } from './compare-with-lake.ts'
import type { CountedStore } from './counted-store.ts'
import { type DownloadFolders, downloadObject, removeFetched } from './download-object.ts'

/** What became of the objects of a batch. */
export interface Batch {
  readonly fetched: readonly { readonly object: ArtifactObject; readonly path: string }[]
  readonly failed: readonly { readonly object: ArtifactObject; readonly reason: string }[]
  /** Why no more can be fetched; undefined when it can. */
  readonly stoppedBy?: unknown
}

/** An object that changes while it is fetched is looked up and fetched anew, so often. */
const MOST_CHANGES = 3
/** So many objects that are refused, and none that is not: all will be. */
const MOST_FINALS = 16

/**
 * Fetches objects, so many at once. One that cannot be had is left; what concerns all of them, such as a spent budget or refused
 * credentials, lets those under way come to their end and no other begin. Errors: the reason of the signal.
 */
export async function fetchBatch(
  store: CountedStore,
  objects: readonly ArtifactObject[],
  places: DownloadFolders,
  connections: number,
  signal?: AbortSignal,
): Promise<Batch> {
  const waiting = [...objects]
  const fetched: { object: ArtifactObject; path: string }[] = []
  const failed: { object: ArtifactObject; reason: string }[] = []
  let stoppedBy: unknown
  let finals = 0

  async function connection(): Promise<void> {
    for (let object = waiting.shift(); object !== undefined; object = waiting.shift()) {
      if (stoppedBy !== undefined) return
      try {
        fetched.push(await fetchNewest(store, object, places, signal))
      } catch (error) {
        signal?.throwIfAborted()
        if (error instanceof StoreFault && ['passing', 'changed', 'final'].includes(error.kind)) {
          failed.push({ object, reason: sentenceOf(error) })
          finals += error.kind === 'final' ? 1 : 0
          if (finals >= MOST_FINALS && fetched.length === 0) stoppedBy ??= error
        } else stoppedBy ??= error
      }
    }
  }

  await Promise.all(Array.from({ length: connections }, connection))
  signal?.throwIfAborted()
  return { fetched, failed, ...(stoppedBy !== undefined && { stoppedBy }) }
}

async function fetchNewest(
  store: CountedStore,
  listed: ArtifactObject,
  places: DownloadFolders,
  signal: AbortSignal | undefined,
): Promise<{ object: ArtifactObject; path: string }> {
  let object = listed
  for (let change = 0; ; change += 1) {
    try {
      return { object, path: await downloadObject(store, object, places, signal) }
    } catch (error) {
      if (!(error instanceof StoreFault && error.kind === 'changed')) throw error
      await removeFetched(places, object)
      if (change === MOST_CHANGES) throw error
      const current = await store.head(object.key, signal)
      const [again] = current === undefined ? [] : toArtifactObjects(current)
      if (again === undefined) throw error
      object = again
    }
  }
}
