import { resources } from '../../catalog/resources.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { type ArtifactKind, artifactKindOf } from '../../write/ingest/files/artifact.ts'
import {
  type ArtifactObject,
  type Comparison,
  compareWithLake,
  type HeldNames,
  listingStart,
  listSeries,
  type TimeRange,
  toArtifactObjects,
} from './compare-with-lake.ts'
import type { CountedStore } from './counted-store.ts'
import { extendCovered } from './covered.ts'
import { findSeries } from './file-series.ts'
import type { Covered, SyncState } from './sync-state.ts'
import { lookUpObjects, MOST_LOOKUPS, unsettledKeys } from './unsettled.ts'

/** Selects objects of a bucket. */
export interface SyncSelection {
  /** Prefix of keys; ends with a slash or is empty. */
  readonly prefix: string
  readonly kinds: readonly ArtifactKind[]
  readonly range: TimeRange
  /** Overlap with earlier listings, for late objects. */
  readonly overlapMs: number
  /** Fetches changed objects again. */
  readonly isReplacing: boolean
}

/** Contents of a bucket compared with the lake. */
export interface BucketState {
  readonly listed: readonly ArtifactObject[]
  /** Coverage once all pending objects are in the lake. */
  readonly covered: SyncState['covered']
  /** Start of the listing, by timed series. */
  readonly listedFrom: Readonly<Record<string, number>>
  readonly compared: Comparison
  /** Keys of earlier refused or changed objects that the bucket no longer has. */
  readonly gone: readonly string[]
}

/**
 * Lists new objects, looks up unsettled ones that were not listed, and compares them with the lake.
 * Errors: those of the store.
 */
export async function compareBucket(
  store: CountedStore,
  selection: SyncSelection,
  before: SyncState,
  at: Snapshot,
): Promise<BucketState> {
  const listed: ArtifactObject[] = []
  const covered: Record<string, Covered> = { ...before.covered }
  const listedFrom: Record<string, number> = {}
  for (const series of await findSeries(store, selection.prefix, selection.kinds)) {
    const { prefix } = series
    const fromMs = listingStart(selection.range, before.covered[prefix], selection.overlapMs)
    const inSeries = await listSeries(store, series, { ...selection.range, fromMs })
    listed.push(...inSeries.filter(({ kind }) => selection.kinds.includes(kind)))
    if (!series.isTimed) continue
    listedFrom[prefix] = fromMs
    covered[prefix] = extendCovered(inSeries, selection.range.fromMs, before.covered[prefix])
  }
  const names = new Set(listed.map(({ key }) => key))
  const unsettled = unsettledKeys(before.fetched, selection).filter((key) => !names.has(key))
  const keys = unsettled.slice(0, MOST_LOOKUPS)
  const { objects, gone, unanswered } = await lookUpObjects(store, keys, before.fetched)
  const candidates = [...listed, ...objects.flatMap(toArtifactObjects)]
  const compared = compareWithLake(candidates, heldNames(at), before, selection.isReplacing)
  const refused = [...compared.refused, ...unanswered]
  return { listed, covered, listedFrom, compared: { ...compared, refused }, gone }
}

function heldNames(at: Snapshot): HeldNames {
  return new Map(
    resources
      .filter(({ arrival }) => arrival !== undefined)
      .map((resource) => {
        const sources = [...at.table(resource).sources.values()]
        return [artifactKindOf(resource), new Set(sources.map(({ name }) => name))]
      }),
  )
}
