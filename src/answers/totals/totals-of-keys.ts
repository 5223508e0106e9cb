import { isSliceOver, nextSlice } from '../../base/slices.ts'
import type { Filters } from '../../catalog/query/filter-values.ts'
import { groupRangeOf } from '../../catalog/query/group-range.ts'
import { whereKeys } from '../../catalog/query/plan.ts'
import { toSumsPlan } from '../../catalog/query/to-plan.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { keyedSums } from './keyed-sums.ts'
import type { SumParts, Sums } from './totals.ts'

/** Returns the totals of each key by key. Errors: the reason of the signal. */
export type TotalsOfKeys = (
  resource: Resource,
  filters: Filters,
  keys: readonly string[],
  at: Snapshot,
  signal?: AbortSignal,
) => Promise<ReadonlyMap<string, Sums>>

/** Sums each key by the index by hotspot, or all keys by one statement. */
export function openTotalsOfKeys({ engine, index, manifests }: SumParts): TotalsOfKeys {
  return async (resource, filters, keys, at, signal) => {
    const { prices } = await manifests(at, signal)
    const plan = toSumsPlan(resource, filters, prices)
    const { keyed = '' } = resource
    const range = groupRangeOf(plan)
    const totals = new Map<string, Sums>()
    for (const key of range === undefined ? [] : keys) {
      if (isSliceOver()) await nextSlice(signal)
      const sums = range && keyedSums(index, plan, { key, range }, at.table(resource))
      if (sums === undefined) break
      totals.set(key, sums)
    }
    const remaining = keys.filter((key) => !totals.has(key))
    if (remaining.length === 0) return totals
    const none = Object.fromEntries(Object.keys(plan.sums).map((name) => [name, 0n]))
    for (const key of remaining) totals.set(key, none)
    const where = [...plan.where, ...whereKeys(keyed, remaining)]
    for (const { group, sums } of await engine.sums({ ...plan, where, groupBy: [keyed] }, at, signal))
      totals.set(String(group[keyed]), sums)
    return totals
  }
}
