import { join } from 'node:path'
import type { IngestSummary } from '../../write/ingest/ingest-counts.ts'
import type { ArtifactObject, Comparison } from './compare-with-lake.ts'
import type { CountedStore } from './counted-store.ts'
import { copyToKeptFolder, type DownloadFolders, removeFetched, removeUnneeded } from './download-object.ts'
import { type Batch, fetchBatch } from './fetch-batch.ts'
import type { LeftObject } from './sync-state.ts'
import { changeSyncState, type Fetched, readSyncState, type SyncState } from './sync-state.ts'

export interface FetchRequest {
  /** Address as given, such as `s3://bucket/prefix`. */
  readonly address: string
  /** Folder of the state and of downloads. */
  readonly folder: string
  /** Keeps copies of the files below this folder, under their keys; undefined keeps none. */
  readonly keptFolder: string | undefined
  /** Ingests files; the lake may have some already. */
  readonly ingest: (paths: readonly string[]) => Promise<IngestSummary>
  readonly connections?: number
  /** Approximate bytes per batch. */
  readonly batchBytes?: number
  readonly onProgress?: (progress: SyncProgress) => void
  readonly signal?: AbortSignal
}

interface SyncProgress {
  readonly objects: number
  readonly objectsDone: number
  readonly bytes: number
  readonly bytesDone: number
}

/** Counts of a run so far. */
export interface SyncRun {
  listed: number
  fetched: number
  stored: number
  rows: number
  /** Objects that are not in the lake, with the reason. */
  readonly left: LeftObject[]
  /** Keys of earlier refused objects that the bucket no longer has. */
  readonly gone: string[]
}

const CONNECTIONS = 8
const BATCH_BYTES = 128_000_000

/** Fetches a batch while the previous one is ingested. Returns the state of fetched objects, and those that failed. */
export async function fetchAndIngest(
  request: FetchRequest,
  store: CountedStore,
  { pending, replaced }: Pick<Comparison, 'pending' | 'replaced'>,
  run: SyncRun,
): Promise<{ readonly fetched: SyncState['fetched']; readonly missed: readonly ArtifactObject[] }> {
  const { connections = CONNECTIONS, batchBytes = BATCH_BYTES, folder } = request
  const places = downloadFolders(request)
  await removeUnneeded(places, pending)
  const fetched: Record<string, Fetched> = { ...(await readSyncState(folder, request.address)).fetched }
  const missed: ArtifactObject[] = []
  const batches = batchesOf(pending, batchBytes)
  const done = { objects: pending.length, objectsDone: 0, bytes: totalBytes(pending), bytesDone: 0 }
  const begin = (objects: readonly ArtifactObject[] | undefined) => {
    const batch = objects && fetchBatch(store, objects, places, connections)
    batch?.catch(() => {})
    return batch
  }
  let coming = begin(batches[0])
  for (const [index, objects] of batches.entries()) {
    const batch = await coming
    if (batch === undefined) break
    coming = batch.stoppedBy === undefined ? begin(batches[index + 1]) : undefined
    // A killed run must know what it ingested. Replaced rows may still be the old ones.
    for (const { object } of batch.fetched) {
      const { reason } = fetched[object.key] ?? {}
      // A listing may skip objects that were refused before.
      if (reason !== undefined) fetched[object.key] = { etag: '', reason }
      else if (!replaced.has(object.key)) fetched[object.key] = { etag: object.etag }
    }
    await changeSyncState(request, { fetched })
    Object.assign(fetched, await ingestBatch(request, batch, replaced, run))
    missed.push(...batch.failed.map(({ object }) => object))
    await changeSyncState(request, { fetched })
    done.objectsDone += objects.length
    done.bytesDone += totalBytes(objects)
    request.onProgress?.(done)
    if (batch.stoppedBy !== undefined) throw batch.stoppedBy
  }
  return { fetched, missed }
}

/** Ingests a batch; returns the new state of each object. */
async function ingestBatch(
  request: FetchRequest,
  batch: Batch,
  replaced: ReadonlySet<string>,
  run: SyncRun,
): Promise<Record<string, Fetched>> {
  const became: Record<string, Fetched> = {}
  run.left.push(...batch.failed.map(({ object, reason }) => ({ key: object.key, reason })))
  if (batch.fetched.length === 0) return became
  const { keptFolder } = request
  if (keptFolder !== undefined)
    for (const { object, path } of batch.fetched)
      await copyToKeptFolder(path, join(keptFolder, ...object.key.split('/')))
  const { failed, stored, rows } = await request.ingest(batch.fetched.map(({ path }) => path))
  const reasons = new Map(failed.map(({ path, reason }) => [path, reason]))
  run.fetched += batch.fetched.length
  run.stored += stored
  run.rows += rows
  for (const { object, path } of batch.fetched) {
    const reason = reasons.get(path)
    const { key, etag } = object
    const isChanged = replaced.has(key)
    became[key] = reason === undefined ? { etag } : { etag, reason, ...(isChanged && { isChanged }) }
    if (reason !== undefined) run.left.push({ key, reason })
    await removeFetched(downloadFolders(request), object)
  }
  return became
}

function batchesOf(objects: readonly ArtifactObject[], most: number): readonly (readonly ArtifactObject[])[] {
  const batches: ArtifactObject[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const object of objects) {
    if (bytes + object.bytes > most) {
      batches.push([])
      bytes = 0
    }
    batches.at(-1)?.push(object)
    bytes += object.bytes
  }
  return batches
}

export function totalBytes(objects: readonly ArtifactObject[]): number {
  return objects.reduce((sum, { bytes }) => sum + bytes, 0)
}

export function downloadFolders({ folder }: Pick<FetchRequest, 'folder'>): DownloadFolders {
  return { parts: join(folder, 'parts'), whole: join(folder, 'files') }
}
