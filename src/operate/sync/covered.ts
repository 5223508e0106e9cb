import { prefixOf } from './file-series.ts'
import { isUnsettled } from './left-object.ts'
import type { Covered, SyncState } from './sync-state.ts'
import type { ListedObject } from './wanted.ts'

/** What a series covers once all that was listed from an instant on is in the lake. */
export function coveredBy(
  listed: readonly ListedObject[],
  fromMs: number,
  before: Covered | undefined,
): Covered {
  const known = before !== undefined && before.fromMs <= fromMs ? before : { fromMs, untilMs: fromMs }
  const untilMs = listed.reduce((newest, { createdMs }) => Math.max(newest, createdMs), known.untilMs)
  return { fromMs: known.fromMs, untilMs }
}

/** The same when objects could not be fetched: the next run lists them again. */
export function coveredWithout(
  missed: readonly Pick<ListedObject, 'key' | 'createdMs'>[],
  covered: SyncState['covered'],
): SyncState['covered'] {
  const left = { ...covered }
  for (const { key, createdMs } of missed) {
    const prefix = prefixOf(key)
    const own = left[prefix]
    if (own !== undefined && createdMs < own.untilMs) left[prefix] = { ...own, untilMs: createdMs }
  }
  return left
}

/** Of objects that were fetched those that a listing may name again, or that were refused: the log knows the others. */
export function stillOfUse(
  { fetched, covered }: Pick<SyncState, 'fetched' | 'covered'>,
  listed: readonly ListedObject[],
  overlapMs: number,
): SyncState['fetched'] {
  const again = listed.filter(({ key, createdMs }) => {
    const own = covered[prefixOf(key)]
    return own === undefined || createdMs >= own.untilMs - overlapMs
  })
  const keys = new Set(again.map(({ key }) => key))
  const kept = Object.entries(fetched).filter(([key, one]) => isUnsettled(one) || keys.has(key))
  return Object.fromEntries(kept)
}
