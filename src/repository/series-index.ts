import { addWholes, type Whole } from '../derive/exact-sums.ts'
import type { KeyIndex } from '../index/keyed/key-index.ts'
import { isSliceOver, nextSlice } from '../slices.ts'
import { type IndexAsked, KeySums, summedOf } from './key-sums.ts'
import type { CellTarget, FactsOf, SeriesFold } from './series-fold.ts'
import type { KeyEarned } from './series-groups.ts'
import type { GroupOf } from './series-log.ts'

/** Adds the sums of keys in the hotspot index to the rows of a series. */
export class IndexedCells {
  readonly #sums: KeySums
  readonly #fold: SeriesFold
  readonly #factsOf: FactsOf
  /** By the number of a group, so that its facts are looked up once for all keys. */
  readonly #targets: CellTarget[] = []

  constructor(index: KeyIndex, asked: IndexAsked, fold: SeriesFold, factsOf: FactsOf) {
    this.#sums = new KeySums(index, asked, summedOf(asked.table.resource, asked.prices))
    this.#fold = fold
    this.#factsOf = factsOf
  }

  /** Returns keys that were seen to have rows; undefined, without adding any, when the index does not have them. */
  add(keys: readonly string[], groupOf: GroupOf): readonly string[] | undefined {
    return this.#sums.read(keys, (number, sums) => {
      const group = this.#sums.groupAt(number)
      const target = this.#targets[number] ?? this.#targetOf(number)
      if (target === undefined)
        this.#fold.postpone({ ...group, group: groupOf(group), sums: sums.map(BigInt) })
      else this.#fold.addSums(target, groupOf(group), sums)
    })
  }

  #targetOf(number: number): CellTarget | undefined {
    const { source, period } = this.#sums.groupAt(number)
    const facts = this.#factsOf(source, period)
    if (facts === undefined) return undefined
    const target = this.#fold.targetOf(facts)
    this.#targets[number] = target
    return target
  }
}

/** What each of some keys earned in each token, from the hotspot index; undefined when it does not have them. */
export async function earnedInIndex(
  index: KeyIndex,
  asked: IndexAsked,
  keys: readonly string[],
  tokenOf: (source: string) => string | null,
  signal?: AbortSignal,
): Promise<readonly KeyEarned[] | undefined> {
  const sums = new KeySums(index, asked, asked.table.resource.earned ?? [])
  const tokens: (string | null)[] = []
  const parts: KeyEarned[] = []
  for (const key of keys) {
    if (isSliceOver()) await nextSlice(signal)
    const earned = new Map<string | null, Whole>()
    const read = sums.read([key], (number, own) => {
      if (tokens[number] === undefined) tokens[number] = tokenOf(sums.groupAt(number).source)
      const token = tokens[number]
      earned.set(token, own.reduce(addWholes, earned.get(token) ?? 0))
    })
    if (read === undefined) return undefined
    for (const [token, sum] of earned) parts.push({ token, group: key, key, earned: BigInt(sum) })
  }
  return parts
}
