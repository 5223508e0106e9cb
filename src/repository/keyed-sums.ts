import { offloadedBytes } from '../derive/offloaded-bytes.ts'
import type { HotspotIndex } from '../hotspot-index/hotspot-index.ts'
import type { VisitRow } from '../hotspot-index/opened.ts'
import type { TableSnapshot } from '../lake/snapshot.ts'
import type { KeyedRange } from '../query/group-range.ts'
import type { SumsPlan } from '../query/plan.ts'

/** The sums of a plan over the rows of one key, from the hotspot index; undefined when it does not have them. */
export function keyedSums(
  index: HotspotIndex,
  { sums, prices }: SumsPlan,
  { key, range }: KeyedRange,
  table: TableSnapshot,
): Record<string, bigint> | undefined {
  const columns = new Set(Object.values(sums).map((sum) => sum.column))
  const offloaded = Object.entries(sums).filter(([, sum]) => sum.as === 'offloaded_bytes')
  const bytes = new Map(offloaded.map(([name]) => [name, 0n]))
  const addBytes: VisitRow = (source, amountOf) => {
    const price = prices.get(source)
    if (price === undefined) return
    for (const [name, { column }] of offloaded) {
      const reward = amountOf(column)
      if (reward > 0n) bytes.set(name, (bytes.get(name) ?? 0n) + offloadedBytes(reward, price))
    }
  }
  const found = index.sums(table, key, range, [...columns], offloaded.length === 0 ? undefined : addBytes)
  if (found === undefined) return undefined
  return Object.fromEntries(
    Object.entries(sums).map(([name, { column, as }]) => [
      name,
      (as === 'offloaded_bytes' ? bytes.get(name) : found[column]) ?? 0n,
    ]),
  )
}
