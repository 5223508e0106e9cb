import { mkdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { sentenceOf } from '../../base/errors.ts'
import { changeAlone } from '../../lake/runs/change-alone.ts'
import { Lake } from '../../lake/snapshot/lake.ts'
import { recognisePath } from '../../write/ingest/files/artifact.ts'
import type { ObjectStore } from '../object-store/object-store.ts'
import { defaultRetryPolicy, type RetryPolicy } from '../object-store/retry-request.ts'
import { compareBucket, type SyncSelection } from './compare-bucket.ts'
import type { Comparison } from './compare-with-lake.ts'
import { CountedStore } from './counted-store.ts'
import { excludeMissed, retainFetched } from './covered.ts'
import { countFetchedBytes } from './download-object.ts'
import {
  downloadFolders,
  type FetchRequest,
  fetchAndIngest,
  type SyncRun,
  totalBytes,
} from './fetch-and-ingest.ts'
import { findNamedFiles } from './find-named.ts'
import { costOf, estimateCost, type StorePrices, type StoreUsage, type SyncEstimate } from './prices.ts'
import { BudgetSpent, Spending } from './spending.ts'
import {
  CHANGED,
  changeSyncState,
  type Fetched,
  isUnsettled,
  type LeftObject,
  readSyncState,
  type SyncState,
} from './sync-state.ts'
import { MOST_LOOKUPS, unsettledKeys } from './unsettled.ts'

export interface SyncRequest extends SyncSelection, FetchRequest {
  readonly lake: string
  readonly store: ObjectStore
  readonly prices: StorePrices
  /** Limit on the total spending for this source, in nano-dollars. */
  readonly budget: bigint | undefined
  /** Returns files that manifests of the lake name and the lake lacks. */
  readonly namedAndMissing?: () => Promise<readonly string[]>
  readonly patience?: RetryPolicy
  /** Limit on the names in all listings of a run. */
  readonly mostNames?: number
}

/** The result of a run. */
export interface SyncSummary extends Readonly<SyncRun> {
  readonly usage: StoreUsage
  /** Costs of this run and of all runs, in nano-dollars. */
  readonly nanos: bigint
  readonly totalNanos: bigint
  readonly isBudgetSpent: boolean
}

/** An estimate with its own cost, and the refused or changed objects that a run would skip. */
export type LookedEstimate = SyncEstimate & {
  readonly looked: StoreUsage
  readonly left: readonly LeftObject[]
}

/**
 * Lists the objects that a run would fetch, and their cost. Its listings count as spent. Errors: those of `syncBucket`.
 */
export async function estimateSync(request: SyncRequest): Promise<LookedEstimate> {
  return await withStore(request, async (store, spending) => {
    const before = await readSyncState(request.folder, request.address)
    const { compared } = await compareNow(request, store, before)
    const leftObjects = [...compared.refused, ...changedIn(compared)]
    const fetchedBytes = await countFetchedBytes(downloadFolders(request), compared.pending)
    const bytes = BigInt(totalBytes(compared.pending)) - fetchedBytes
    const looked = spending.now
    return {
      ...estimateCost(looked, compared.pending.length, bytes, request.prices),
      looked,
      left: leftObjects,
    }
  })
}

/**
 * Fetches the objects that the lake lacks, in batches. Each batch is fetched, compared by size and checksum, ingested
 * and recorded. A killed run loses at most the bytes of running requests; the next run resumes.
 * Errors: `StoreFault` if the bucket cannot be listed or read, `lake_unwritable`, those of the ingest, the reason of
 * the signal.
 */
export async function syncBucket(request: SyncRequest): Promise<SyncSummary> {
  return await withStore(request, async (store, spending) => {
    const run: SyncRun = { listed: 0, fetched: 0, stored: 0, rows: 0, left: [], gone: [] }
    const problem = await complete(request, store, run).then(
      () => undefined,
      (error: unknown) => ({ error }),
    )
    if (problem !== undefined) await changeSyncState(request, { problem: sentenceOf(problem.error) })
    const isBudgetSpent = problem?.error instanceof BudgetSpent
    if (problem !== undefined && !isBudgetSpent) throw problem.error
    const nanos = costOf(spending.now, request.prices)
    return { ...run, usage: spending.now, nanos, totalNanos: spending.total, isBudgetSpent }
  })
}

async function complete(request: SyncRequest, store: CountedStore, run: SyncRun): Promise<void> {
  const { folder, address, overlapMs } = request
  const before = await readSyncState(folder, address)
  const { listed, covered, listedFrom, compared, gone } = await compareNow(request, store, before)
  run.listed = listed.length
  run.left.push(...changedIn(compared), ...compared.refused)
  run.gone.push(...gone)
  await changeSyncState(request, { fetched: noteVerdicts(before.fetched, compared, gone) })
  const { fetched, missed } = await fetchAndIngest(request, store, compared, run)
  const unsettled = unsettledKeys(fetched, request)
  const late = unsettled
    .slice(MOST_LOOKUPS)
    .map((key) => ({ key, createdMs: recognisePath(key)?.createdMs ?? 0 }))
  const again = missed.filter(({ key }) => !unsettled.includes(key))
  const reached = { fetched, covered: excludeMissed([...again, ...late], covered) }
  await changeSyncState(request, { ...reached, fetched: retainFetched(reached, listed, overlapMs) })
  const leftNames = new Set(unsettled.map((key) => basename(key)))
  const names = ((await request.namedAndMissing?.()) ?? []).filter((name) => !leftNames.has(name))
  const { found, missing } = await findNamedFiles(store, names, listedFrom, before.missing, Date.now())
  if (found.length > 0) await fetchAndIngest(request, store, { pending: found, replaced: new Set() }, run)
  await changeSyncState(request, { missing, doneAt: Date.now(), problem: null })
}

const changedIn = ({ changed }: Comparison) => changed.map(({ key }) => ({ key, reason: CHANGED }))

/** Returns the state of fetched objects after a comparison. */
function noteVerdicts(
  before: SyncState['fetched'],
  { settled, changed }: Comparison,
  gone: readonly string[],
): SyncState['fetched'] {
  const fetched: Record<string, Fetched> = { ...before }
  for (const key of gone) delete fetched[key]
  for (const { key, etag } of settled) if (isUnsettled(fetched[key] ?? { etag })) fetched[key] = { etag }
  for (const { key } of changed) fetched[key] = { etag: before[key]?.etag ?? '', isChanged: true }
  return fetched
}

async function compareNow(request: SyncRequest, store: CountedStore, before: SyncState) {
  return await compareBucket(store, request, before, await new Lake(request.lake).latest())
}

/** Locks the source: a second run waits for the first. */
async function withStore<T>(
  request: SyncRequest,
  work: (store: CountedStore, spending: Spending) => Promise<T>,
): Promise<T> {
  const { folder, prices, budget, store, patience = defaultRetryPolicy, mostNames, signal } = request
  await mkdir(folder, { recursive: true })
  return await changeAlone(join(folder, 'run'), async () => {
    const spending = await Spending.open(folder, prices, budget)
    try {
      return await work(new CountedStore(store, spending, { patience, mostNames, signal }), spending)
    } finally {
      await spending.close()
    }
  })
}
