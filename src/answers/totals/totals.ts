import type { Filters } from '../../catalog/query/filter-values.ts'
import type { GroupRange } from '../../catalog/query/group-range.ts'
import type { SumsPlan } from '../../catalog/query/plan.ts'
import { toSumsPlan } from '../../catalog/query/to-plan.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import type { OffloadedBytes } from '../offload/offloaded-bytes.ts'
import { type Estimate, estimateOf } from '../records/estimate.ts'
import type { ReadManifests } from '../records/manifests.ts'
import { type AccessPaths, type Choice, choose } from '../rows/choose.ts'
import { keyedSums } from './keyed-sums.ts'

/** One exact sum per member of `resource.totals`; 0 over nothing. */
export type Sums = Readonly<Record<string, bigint>>

/** A totals query with its access path chosen. No data has been read. */
export interface Totals {
  readonly by: Choice['by']
  estimate(): Estimate
  /** Returns the sums if no I/O is needed, otherwise undefined. */
  peek(): Sums | undefined
  read(signal?: AbortSignal): Promise<Sums>
}

/** Access paths, manifests and the sums of offloaded bytes. */
export interface SumParts extends AccessPaths {
  readonly offloaded: OffloadedBytes
  readonly manifests: ReadManifests
}

export function planTotals(parts: SumParts, resource: Resource, filters: Filters, at: Snapshot): Totals {
  const { engine, index, offloaded, manifests } = parts
  const plan = toSumsPlan(resource, filters)
  const choice = choose('totals', plan, at, parts)

  function peek(): Sums | undefined {
    if (choice.by === 'log') return loggedSums(offloaded, plan, choice.range, at)
    const prices = manifests.peek(at)?.prices
    if (!('key' in choice) || prices === undefined) return undefined
    return keyedSums(index, { ...plan, prices }, choice, at.table(resource))
  }

  return {
    by: choice.by,
    estimate: () => estimateOf(choice, plan, 1, at),
    peek,
    async read(signal) {
      if (choice.by === 'log' && peek() === undefined) await offloaded.build(at, { signal })
      const { prices } = await manifests(at, signal)
      return peek() ?? (await engine.sums({ ...plan, prices }, at, signal))[0]?.sums ?? {}
    },
  }
}

/** Sums from the log; undefined while offloaded bytes are not built. */
function loggedSums(
  offloaded: OffloadedBytes,
  { resource, sums }: SumsPlan,
  range: GroupRange,
  at: Snapshot,
): Sums | undefined {
  const sumOf = at.table(resource).statistics.summing(range)
  const answers: Record<string, bigint> = {}
  for (const name in sums) {
    const { column = '', as } = sums[name] ?? {}
    const sum = as === 'amount' ? sumOf(column) : offloaded.peek(resource, column, range, at)
    if (sum === undefined) return undefined
    answers[name] = sum
  }
  return answers
}
