import { setImmediate } from 'node:timers/promises'
import type { Resource } from '../catalog/resource.ts'
import { offloadedBytes } from '../derive/offloaded-bytes.ts'
import type { Summed } from '../hotspot-index/group-sums.ts'
import type { HotspotIndex } from '../hotspot-index/hotspot-index.ts'
import type { TableSnapshot } from '../lake/snapshot.ts'
import type { GroupRange } from '../query/group-range.ts'
import type { Cell } from './series-fold.ts'
import type { KeyEarned } from './series-groups.ts'
import type { GroupOf } from './series-log.ts'

/** Keys that are read before other requests have their turn: some milliseconds. */
const KEYS_AT_ONCE = 200

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
export async function indexCells(
  index: HotspotIndex,
  { table, range, prices }: IndexAsked,
  keys: readonly string[],
  groupOf: GroupOf,
  signal?: AbortSignal,
): Promise<readonly Cell[] | undefined> {
  const summed = summedOf(table.resource, prices)
  const cells: Cell[] = []
  for (let first = 0; first < keys.length; first += KEYS_AT_ONCE) {
    const found = index.groupSums(table, keys.slice(first, first + KEYS_AT_ONCE), range, summed)
    if (found === undefined) return undefined
    for (const { group, sums } of found)
      cells.push({ source: group.source, period: group.period, group: groupOf(group), sums })
    if (first > 0) await setImmediate()
    signal?.throwIfAborted()
  }
  return cells
}

/** What each of some keys earned in each token, from the hotspot index; undefined when it does not have them. */
export async function earnedInIndex(
  index: HotspotIndex,
  { table, range }: IndexAsked,
  keys: readonly string[],
  tokenOf: (source: string) => string | null,
  signal?: AbortSignal,
): Promise<readonly KeyEarned[] | undefined> {
  const { earned = [] } = table.resource
  const parts: KeyEarned[] = []
  for (const [place, key] of keys.entries()) {
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
    if (place % KEYS_AT_ONCE === KEYS_AT_ONCE - 1) await setImmediate()
    signal?.throwIfAborted()
  }
  return parts
}

/** Which rows are read, and at which prices. */
export interface IndexAsked {
  readonly table: TableSnapshot
  readonly range: GroupRange
  readonly prices: ReadonlyMap<string, bigint>
}
