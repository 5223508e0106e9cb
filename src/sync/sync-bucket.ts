import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sentenceOf } from '../errors.ts'
import type { IngestSummary } from '../ingest/counts.ts'
import { changeAlone } from '../lake/change-alone.ts'
import { Lake } from '../lake/lake.ts'
import type { ObjectStore } from '../object-store/object-store.ts'
import { CountedStore, type Patience, usualPatience } from './counted-store.ts'
import { coveredWithout, stillOfUse } from './covered.ts'
import { bytesThere, removeOtherParts } from './download.ts'
import { type Estimate, estimateOf } from './estimate.ts'
import { type Batch, fetchBatch } from './fetch-batch.ts'
import { look, type Wish } from './look.ts'
import { costOf, type Prices, type Usage } from './prices.ts'
import { BudgetSpent, Spending } from './spending.ts'
import { type Fetched, readSyncState, type SyncState, writeSyncState } from './sync-state.ts'
import type { ListedObject } from './wanted.ts'

export interface SyncRequest extends Wish {
  readonly lake: string
  readonly store: ObjectStore
  /** As it was given, such as `s3://bucket/prefix`. */
  readonly address: string
  /** Where the state of this source lies, and what is under way. */
  readonly folder: string
  readonly prices: Prices
  /** The most that may ever be spent on this source, in nano-dollars. */
  readonly budget: bigint | undefined
  /** Files are kept below this folder, under their keys; undefined: they are removed once they are ingested. */
  readonly keptFolder: string | undefined
  /** Ingests files, some of which may be in already. */
  readonly ingest: (paths: readonly string[]) => Promise<IngestSummary>
  readonly patience?: Patience
  readonly connections?: number
  /** About so many bytes are fetched before they are ingested. */
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

/** What a run did. */
export interface SyncSummary {
  readonly listed: number
  readonly fetched: number
  readonly stored: number
  readonly rows: number
  /** Objects that are not in the lake, and why. */
  readonly left: readonly { readonly key: string; readonly reason: string }[]
  readonly usage: Usage
  /** Of this run and of all runs together, in nano-dollars. */
  readonly nanos: bigint
  readonly totalNanos: bigint
  readonly isBudgetSpent: boolean
}

const CONNECTIONS = 8
const BATCH_BYTES = 128_000_000

/** What would be fetched now, and what it would cost. The listings that it takes are counted as spent. Errors: as of `syncBucket`. */
export async function estimateSync(request: SyncRequest): Promise<Estimate & { readonly looked: Usage }> {
  return await withStore(request, async (store, spending) => {
    const before = await readSyncState(request.folder, request.address)
    const { compared } = await look(
      store,
      request,
      before,
      await new Lake(request.lake).latest(),
      request.signal,
    )
    const there = await bytesThere(partsIn(request), compared.wanted)
    const bytes = BigInt(bytesOf(compared.wanted)) - there
    return { ...estimateOf(compared.wanted.length, bytes, request.prices), looked: spending.now }
  })
}

/**
 * Brings what a bucket has and the lake lacks, in batches: each is fetched, compared with size and checksum, ingested and noted. A
 * run that is killed loses at most the bytes of requests under way; the next goes on from there.
 * Errors: `StoreFault` when nothing can be listed or fetched, `lake_unwritable`, those of the ingest, the reason of the signal.
 */
export async function syncBucket(request: SyncRequest): Promise<SyncSummary> {
  return await withStore(request, async (store, spending) => {
    const run = { listed: 0, fetched: 0, stored: 0, rows: 0, left: [] as { key: string; reason: string }[] }
    const { folder, address, signal } = request
    const before = await readSyncState(folder, address)
    let isBudgetSpent = false
    try {
      const { listed, covered, compared } = await look(
        store,
        request,
        before,
        await new Lake(request.lake).latest(),
        signal,
      )
      run.listed = listed.length
      run.left.push(...compared.changed.map(({ key }) => ({ key, reason: CHANGED })))
      run.left.push(...compared.refused.map(({ key, reason }) => ({ key, reason })))
      const { fetched, missed } = await bring(request, store, compared.wanted, run)
      const done = { fetched, covered: coveredWithout(missed, covered), doneAt: Date.now(), problem: null }
      await note(request, { ...done, fetched: stillOfUse(done, listed, request.overlapMs) })
    } catch (error) {
      await note(request, { problem: sentenceOf(error) })
      if (!(error instanceof BudgetSpent)) throw error
      isBudgetSpent = true
    }
    const nanos = costOf(spending.now, request.prices)
    return { ...run, usage: spending.now, nanos, totalNanos: spending.total, isBudgetSpent }
  })
}

const CHANGED =
  'it has other bytes than when it was ingested; --replace fetches it again and replaces its rows'

/** One run of a source at a time: another waits for it. */
async function withStore<T>(
  request: SyncRequest,
  work: (store: CountedStore, spending: Spending) => Promise<T>,
): Promise<T> {
  const { folder, prices, budget, store, patience = usualPatience } = request
  await mkdir(folder, { recursive: true })
  return await changeAlone(join(folder, 'run'), async () => {
    const spending = await Spending.open(folder, prices, budget)
    try {
      return await work(new CountedStore(store, spending, patience), spending)
    } finally {
      await spending.close()
    }
  })
}

type Run = { fetched: number; stored: number; rows: number; left: { key: string; reason: string }[] }

/** Fetches a batch while the one before it is ingested. Gives what became of objects, and those that could not be had. */
async function bring(
  request: SyncRequest,
  store: CountedStore,
  wanted: readonly ListedObject[],
  run: Run,
): Promise<{ readonly fetched: SyncState['fetched']; readonly missed: readonly ListedObject[] }> {
  const { connections = CONNECTIONS, batchBytes = BATCH_BYTES, keptFolder, folder, signal } = request
  const places = { parts: partsIn(request), whole: keptFolder ?? join(folder, 'files') }
  if (keptFolder === undefined) await rm(places.whole, { recursive: true, force: true })
  await removeOtherParts(places.parts, wanted)
  const { fetched } = await readSyncState(folder, request.address)
  const batches = batchesOf(wanted, batchBytes)
  const done = { objects: wanted.length, objectsDone: 0, bytes: bytesOf(wanted), bytesDone: 0 }
  const begin = (objects: readonly ListedObject[] | undefined) => {
    const batch = objects && fetchBatch(store, objects, places, connections, signal)
    batch?.catch(() => {})
    return batch
  }
  const missed: ListedObject[] = []
  let coming = begin(batches[0])
  for (const [place, objects] of batches.entries()) {
    const batch = await coming
    if (batch === undefined) break
    coming = batch.stoppedBy === undefined ? begin(batches[place + 1]) : undefined
    Object.assign(fetched, await take(request, batch, run))
    missed.push(...batch.left.map(({ object }) => object))
    await note(request, { fetched })
    done.objectsDone += objects.length
    done.bytesDone += bytesOf(objects)
    request.onProgress?.(done)
    if (batch.stoppedBy !== undefined) throw batch.stoppedBy
  }
  return { fetched, missed }
}

/** Ingests what a batch brought, and gives what became of each object. */
async function take(request: SyncRequest, batch: Batch, run: Run): Promise<Record<string, Fetched>> {
  const became: Record<string, Fetched> = {}
  run.left.push(...batch.left.map(({ object, reason }) => ({ key: object.key, reason })))
  if (batch.fetched.length === 0) return became
  const { failed, stored, rows } = await request.ingest(batch.fetched.map(({ path }) => path))
  const reasons = new Map(failed.map(({ path, reason }) => [path, reason]))
  run.fetched += batch.fetched.length
  run.stored += stored
  run.rows += rows
  for (const { object, path } of batch.fetched) {
    const reason = reasons.get(path)
    became[object.key] = { etag: object.etag, ...(reason !== undefined && { reason }) }
    if (reason !== undefined) run.left.push({ key: object.key, reason })
    if (request.keptFolder === undefined) await rm(path, { force: true })
  }
  return became
}

async function note({ folder, address }: SyncRequest, changes: Partial<SyncState>): Promise<void> {
  await writeSyncState(folder, { ...(await readSyncState(folder, address)), ...changes })
}

function batchesOf(objects: readonly ListedObject[], most: number): readonly (readonly ListedObject[])[] {
  const batches: ListedObject[][] = []
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

function bytesOf(objects: readonly ListedObject[]): number {
  return objects.reduce((sum, { bytes }) => sum + bytes, 0)
}

function partsIn({ folder }: SyncRequest): string {
  return join(folder, 'parts')
}
