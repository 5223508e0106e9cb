import type { Resource } from '../catalog/resource.ts'
import { offloadedBytes } from '../derive/offloaded-bytes.ts'
import type { KeyIndex } from '../index/keyed/key-index.ts'
import type { Summed } from '../index/keyed/key-sums.ts'
import type { TableSnapshot } from '../lake/snapshot.ts'
import type { GroupRange } from '../query/group-range.ts'
import { isSliceOver, nextSlice } from '../slices.ts'
import type { Cell } from './series-fold.ts'
import type { KeyEarned } from './series-groups.ts'
import type { GroupOf } from './series-log.ts'

/** What the sums of a series add up in the hotspot index. */
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

/** The cells of rows of some keys, from the hotspot index; undefined when it does not have them. */
export function indexCells(
  index: KeyIndex,
  { table, range, prices }: IndexAsked,
  keys: readonly string[],
  groupOf: GroupOf,
): readonly Cell[] | undefined {
  const found = index.groupSums(table, keys, range, summedOf(table.resource, prices))
  return found?.map(({ group, sums }) => ({
    ...{ source: group.source, period: group.period, group: groupOf(group), sums },
  }))
}

/** What each of some keys earned in each token, from the hotspot index; undefined when it does not have them. */
export async function earnedInIndex(
  index: KeyIndex,
  { table, range }: IndexAsked,
  keys: readonly string[],
  tokenOf: (source: string) => string | null,
  signal?: AbortSignal,
): Promise<readonly KeyEarned[] | undefined> {
  const { earned = [] } = table.resource
  const parts: KeyEarned[] = []
  for (const key of keys) {
    if (isSliceOver()) await nextSlice(signal)
    const tokens = new Map<string | null, bigint>()
    const found = index.groupSums(table, [key], range, earned)
    if (found === undefined) return undefined
    for (const { group, sums } of found) {
      const token = tokenOf(group.source)
      tokens.set(
        token,
        sums.reduce((sum, part) => sum + part, tokens.get(token) ?? 0n),
      )
    }
    for (const [token, sum] of tokens) parts.push({ token, group: key, key, earned: sum })
  }
  return parts
}

/** Which rows are read, and at which prices. */
export interface IndexAsked {
  readonly table: TableSnapshot
  readonly range: GroupRange
  readonly prices: ReadonlyMap<string, bigint>
}
