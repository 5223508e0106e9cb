import { isSliceOver, nextSlice } from '../../base/slices.ts'
import { addWholes, type Whole } from '../../base/values/exact-sums.ts'
import type { GroupRange } from '../../catalog/query/group-range.ts'
import { offloadedBytes } from '../../catalog/records/offloaded-bytes.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { Summed } from '../../index/keyed/group-sums.ts'
import type { KeyIndex } from '../../index/keyed/key-index.ts'
import type { Earned } from '../../index/keyed/list-earned.ts'
import type { GroupKey } from '../../lake/facts/group-series.ts'
import type { TableSnapshot } from '../../lake/snapshot/snapshot.ts'
import type { CellTarget, FactsOf, SeriesFold } from './series-fold.ts'
import type { GroupOf } from './series-log.ts'

export interface IndexRequest {
  readonly table: TableSnapshot
  readonly range: GroupRange
  readonly prices: ReadonlyMap<string, bigint>
}

/** Index columns that a series sums. */
function summedOf({ series }: Resource, prices: ReadonlyMap<string, bigint>): readonly Summed[] {
  return Object.values(series?.sums ?? {}).map((member): Summed => {
    if (typeof member === 'string') return member
    const of = (source: string) => {
      const price = prices.get(source)
      return price === undefined ? undefined : (reward: bigint) => offloadedBytes(reward, price)
    }
    return { column: member.of, of }
  })
}

/** Adds keys to a series. Returns those with rows; undefined, without adding any, if the index lacks rows. */
export type AddKeys = (keys: readonly string[], groupOf: GroupOf) => readonly string[] | undefined

/** Adds the sums of keys in the index by hotspot to a series. */
export function indexedCells(
  index: KeyIndex,
  { table, range, prices }: IndexRequest,
  fold: SeriesFold,
  factsOf: FactsOf,
): AddKeys {
  const groups = { range, summed: summedOf(table.resource, prices) }
  /** Facts of a group, looked up once for all keys. */
  const targets = new Map<GroupKey, CellTarget>()

  function targetOf(group: GroupKey): CellTarget | undefined {
    const facts = factsOf(group.source, group.period)
    if (facts === undefined) return undefined
    const target = fold.targetOf(facts)
    targets.set(group, target)
    return target
  }

  return (keys, groupOf) =>
    index.groupSums(table, keys, groups, (group, sums) => {
      const target = targets.get(group) ?? targetOf(group)
      if (target !== undefined) fold.addSums(target, groupOf(group), sums)
      else {
        const { source, period } = group
        fold.postpone({ source, period, group: groupOf(group), sums: sums.map(BigInt) })
      }
    })
}

/** Earnings of keys per token from the index by hotspot; undefined if the index lacks rows. */
export async function earnedInIndex(
  index: KeyIndex,
  { table, range }: IndexRequest,
  keys: readonly string[],
  tokenOf: (source: string) => string | null,
  signal?: AbortSignal,
): Promise<readonly Earned[] | undefined> {
  const request = { range, summed: table.resource.earned ?? [] }
  const parts: Earned[] = []
  for (const key of keys) {
    if (isSliceOver()) await nextSlice(signal)
    const earned = new Map<string | null, Whole>()
    const read = index.groupSums(table, [key], request, ({ source }, sums) => {
      const token = tokenOf(source)
      earned.set(token, sums.reduce(addWholes, earned.get(token) ?? 0))
    })
    if (read === undefined) return undefined
    for (const [token, sum] of earned) parts.push({ token, key, earned: BigInt(sum) })
  }
  return parts
}
