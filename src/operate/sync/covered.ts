import type { ArtifactObject } from './compare-with-lake.ts'
import { prefixOf } from './file-series.ts'
import type { Covered, SyncState } from './sync-state.ts'
import { isUnsettled } from './sync-state.ts'

/** Returns the range covered once all listed objects are in the lake. */
export function extendCovered(
  listed: readonly ArtifactObject[],
  fromMs: number,
  before: Covered | undefined,
): Covered {
  const start = before !== undefined && before.fromMs <= fromMs ? before : { fromMs, untilMs: fromMs }
  const untilMs = listed.reduce((newest, { createdMs }) => Math.max(newest, createdMs), start.untilMs)
  return { fromMs: start.fromMs, untilMs }
}

/** Reduces coverage so that the next run lists failed objects again. */
export function excludeMissed(
  missed: readonly Pick<ArtifactObject, 'key' | 'createdMs'>[],
  covered: SyncState['covered'],
): SyncState['covered'] {
  const remaining = { ...covered }
  for (const { key, createdMs } of missed) {
    const prefix = prefixOf(key)
    const series = remaining[prefix]
    if (series !== undefined && createdMs < series.untilMs)
      remaining[prefix] = { ...series, untilMs: createdMs }
  }
  return remaining
}

/** Returns the fetched objects that a listing may name again, or that were refused. */
export function retainFetched(
  { fetched, covered }: Pick<SyncState, 'fetched' | 'covered'>,
  listed: readonly ArtifactObject[],
  overlapMs: number,
): SyncState['fetched'] {
  const again = listed.filter(({ key, createdMs }) => {
    const series = covered[prefixOf(key)]
    return series === undefined || createdMs >= series.untilMs - overlapMs
  })
  const keys = new Set(again.map(({ key }) => key))
  const retained = Object.entries(fetched).filter(([key, state]) => isUnsettled(state) || keys.has(key))
  return Object.fromEntries(retained)
}
