import { resources } from '../../catalog/resources.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { type ArtifactKind, kindOf } from '../../write/ingest/files/artifact.ts'
import type { CountedStore } from './counted-store.ts'
import { coveredBy } from './covered.ts'
import { findSeries } from './file-series.ts'
import type { Covered, SyncState } from './sync-state.ts'
import { askAgain, MOST_ASKED, unsettledKeys } from './unsettled.ts'
import {
  type Compared,
  compareWithLake,
  type HeldNames,
  type ListedObject,
  listedOf,
  listSeries,
  startOf,
  type TimeRange,
} from './wanted.ts'

/** What of a bucket is asked for. */
export interface Wish {
  /** Of keys; it ends with a slash or is empty. */
  readonly prefix: string
  readonly kinds: readonly ArtifactKind[]
  readonly range: TimeRange
  /** How far before the newest object a listing begins, for those that came late. */
  readonly overlapMs: number
  /** Objects that changed after they were ingested are wanted again. */
  readonly isReplacing: boolean
}

/** What a bucket has. */
export interface Looked {
  readonly listed: readonly ListedObject[]
  /** What will be covered once all that is wanted is in the lake. */
  readonly covered: SyncState['covered']
  /** By series of files with times: from which instant on all that it has was listed. */
  readonly listedFrom: Readonly<Record<string, number>>
  readonly compared: Compared
  /** Keys of objects that were refused or changed before, and that the bucket has no more. */
  readonly gone: readonly string[]
}

/**
 * Lists what is asked for and may be new, looks up one by one what was left before and is not listed, and compares all with the lake. Errors: those of the
 * store.
 */
export async function look(
  store: CountedStore,
  wish: Wish,
  before: SyncState,
  at: Snapshot,
  signal?: AbortSignal,
): Promise<Looked> {
  const listed: ListedObject[] = []
  const covered: Record<string, Covered> = { ...before.covered }
  const listedFrom: Record<string, number> = {}
  for (const series of await findSeries(store, wish.prefix, wish.kinds, signal)) {
    const { prefix } = series
    const fromMs = startOf(wish.range, before.covered[prefix], wish.overlapMs)
    const own = await listSeries(store, series, { ...wish.range, fromMs }, signal)
    listed.push(...own.filter(({ kind }) => wish.kinds.includes(kind)))
    if (!series.isTimed) continue
    listedFrom[prefix] = fromMs
    covered[prefix] = coveredBy(own, wish.range.fromMs, before.covered[prefix])
  }
  const names = new Set(listed.map(({ key }) => key))
  const left = unsettledKeys(before.fetched, wish).filter((key) => !names.has(key))
  const { objects, gone, unanswered } = await askAgain(
    store,
    left.slice(0, MOST_ASKED),
    before.fetched,
    signal,
  )
  const all = [...listed, ...objects.flatMap(listedOf)]
  const compared = compareWithLake(all, heldNames(at), before, wish.isReplacing)
  const refused = [...compared.refused, ...unanswered]
  return { listed, covered, listedFrom, compared: { ...compared, refused }, gone }
}

function heldNames(at: Snapshot): HeldNames {
  return new Map(
    resources
      .filter(({ arrival }) => arrival !== undefined)
      .map((resource) => {
        const sources = [...at.table(resource).sources.values()]
        return [kindOf(resource), new Set(sources.map(({ name }) => name))]
      }),
  )
}
