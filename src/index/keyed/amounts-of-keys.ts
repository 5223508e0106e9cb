import { getOrMake } from '../../base/maps.ts'
import { uint32At } from '../../base/values/typed-at.ts'
import { bigintOf } from '../../catalog/column.ts'
import type { GroupRange } from '../../catalog/query/group-range.ts'
import { type BlockAmounts, readAmounts } from './block-amounts.ts'
import type { Covering } from './cover.ts'
import type { KeyFile } from './key-file.ts'
import type { Digest } from './key-order.ts'

/** Sources of the amounts of some columns in one file. */
interface AmountColumns {
  /** Columns to read from blocks. */
  readonly numbers: readonly number[]
  /** For each requested column its index in `numbers`; -1 if its values are stored per group. */
  readonly places: readonly number[]
  /** For each requested column stored per group, its values by group number; undefined if all are 0. */
  readonly shared: readonly (readonly bigint[] | undefined)[]
}

/** Most requests use the same list of columns. */
const cached = new WeakMap<readonly string[], WeakMap<KeyFile, AmountColumns>>()

function columnsIn(file: KeyFile, names: readonly string[]): AmountColumns {
  const byFile = getOrMake(cached, names, () => new WeakMap())
  return getOrMake(byFile, file, () => {
    const all = names.map(file.blocks.numberOf)
    const numbers = all.filter((number) => number >= 0)
    const shared = names.map((name, index) => (all[index] === -1 ? sharedIn(file, name) : undefined))
    return { numbers, places: all.map((number) => numbers.indexOf(number)), shared }
  })
}

function sharedIn({ contents }: KeyFile, name: string): readonly bigint[] | undefined {
  const amounts = contents.groups.map(({ common }) => bigintOf(common[name] ?? 0n))
  return amounts.some((amount) => amount !== 0n) ? amounts : undefined
}

/** Rows `first` to `end`, without `end`, of a block. `amounts` has the requested columns that blocks store. */
export interface RowsInBlock extends BlockAmounts {
  readonly first: number
  readonly end: number
}

/** Reads the amounts of keys in one file and range. */
export class AmountsOfKeys {
  readonly file: KeyFile
  readonly places: AmountColumns['places']
  readonly shared: AmountColumns['shared']
  readonly firstGroup: number
  readonly endGroup: number
  /** Returns whether a group is in the range; undefined if all groups from `firstGroup` to `endGroup` are. */
  readonly isIn: ((group: number) => boolean) | undefined
  readonly #columns: readonly number[]

  /** Pass the same `names` object in every request: it is the key of a cache. */
  constructor({ file, isCovered, isWhole }: Covering, range: GroupRange, names: readonly string[]) {
    const { numbers, places, shared } = columnsIn(file, names)
    const { first, end } = file.groupsIn(range)
    const { groups } = file.contents
    const { type } = range
    this.file = file
    this.places = places
    this.shared = shared
    this.firstGroup = first
    this.endGroup = end
    this.isIn =
      isWhole && type === undefined
        ? undefined
        : (group) => isCovered[group] === 1 && (type === undefined || groups[group]?.type === type)
    this.#columns = numbers
  }

  /** Visits the blocks of a key with rows in the range. Test each row's group with `isIn`. Errors: DamagedFile. */
  visit(digest: Digest, visit: (rows: RowsInBlock) => void): void {
    const { file, firstGroup, endGroup } = this
    const { blocks } = file
    const ofKey = firstGroup < endGroup ? file.blocksOfKey(digest) : undefined
    if (ofKey === undefined) return
    for (let number = ofKey.first; number < ofKey.end; number += 1) {
      const rows = blocks.firstRowOf(number + 1) - blocks.firstRowOf(number)
      const read = readAmounts(blocks.bytesOf(number), rows, blocks.columns.length, this.#columns)
      const { groups, amounts } = read
      let [first, end] = [0, rows]
      while (first < end && groupAt(groups, first) < firstGroup) first += 1
      while (end > first && groupAt(groups, end - 1) >= endGroup) end -= 1
      if (first < end) visit({ groups, amounts, first, end })
    }
  }
}

/** Returns the group number of a row, decoded from zigzag. */
export function groupAt(groups: Uint32Array, row: number): number {
  return uint32At(groups, row * 2) >>> 1
}
