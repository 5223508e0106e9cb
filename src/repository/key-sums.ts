import type { Resource } from '../catalog/resource.ts'
import { type Whole, wholeOf } from '../derive/exact-sums.ts'
import { offloadedBytes } from '../derive/offloaded-bytes.ts'
import type { KeyIndex } from '../index/keyed/key-index.ts'
import type { Summed } from '../index/keyed/key-sums.ts'
import type { GroupKey } from '../lake/series.ts'
import type { TableSnapshot } from '../lake/snapshot.ts'
import type { GroupRange } from '../query/group-range.ts'

/** Which rows are read, and at which prices. */
export interface IndexAsked {
  readonly table: TableSnapshot
  readonly range: GroupRange
  readonly prices: ReadonlyMap<string, bigint>
}

/** Receives the sums of a group by its number. The array is used again for the next one. */
export type VisitSums = (group: number, sums: readonly Whole[]) => void

/** Keys whose rows are read before other requests have their turn: some milliseconds for a year. */
export const KEYS_AT_ONCE = 64

/** What the sums of a series add up in the hotspot index. */
export function summedOf({ series }: Resource, prices: ReadonlyMap<string, bigint>): readonly Summed[] {
  return Object.values(series?.sums ?? {}).map((member): Summed => {
    if (typeof member === 'string') return member
    const of = (source: string) => {
      const price = prices.get(source)
      return price === undefined ? undefined : (reward: bigint) => offloadedBytes(reward, price)
    }
    return { column: member.of, of }
  })
}

/** Sums over the rows of keys in the hotspot index, by the groups of a range; groups have numbers for the time of a request. */
export class KeySums {
  readonly #index: KeyIndex
  readonly #table: TableSnapshot
  readonly #range: GroupRange
  readonly #summed: readonly Summed[]
  readonly #groups: GroupKey[] = []
  readonly #numbers = new Map<string, Map<string, Map<bigint, number>>>()

  constructor(index: KeyIndex, { table, range }: IndexAsked, summed: readonly Summed[]) {
    this.#index = index
    this.#table = table
    this.#range = range
    this.#summed = summed
  }

  groupAt(number: number): GroupKey {
    return this.#groups[number] ?? { period: 0n, type: '', source: '' }
  }

  /**
   * Visits the groups that have rows of some keys. Returns keys that were seen to have rows; undefined, without a visit, when the index
   * does not have them.
   */
  read(keys: readonly string[], visit: VisitSums): readonly string[] | undefined {
    const found = this.#index.groupSums(this.#table, keys, this.#range, this.#summed)
    if (found === undefined) return undefined
    const wholes: Whole[] = []
    for (const { group, sums } of found) {
      for (let place = 0; place < sums.length; place += 1) wholes[place] = wholeOf(sums[place] ?? 0n)
      visit(this.#numberOf(group), wholes)
    }
    return keys.length === 1 && found.length > 0 ? keys : []
  }

  #numberOf(group: GroupKey): number {
    const ofSource = entryOf(this.#numbers, group.source, () => new Map())
    const ofType = entryOf(ofSource, group.type, () => new Map())
    return entryOf(ofType, group.period, () => this.#groups.push(group) - 1)
  }
}

function entryOf<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key)
  if (value === undefined) {
    value = make()
    map.set(key, value)
  }
  return value
}
