import { addWholes, type Whole, wholeOf } from '../../base/values/exact-sums.ts'
import { doubleAt, uint32At } from '../../base/values/typed-at.ts'
import type { GroupRange } from '../../catalog/query/group-range.ts'
import type { GroupKey } from '../../lake/facts/group-series.ts'
import { AmountsOfKeys, groupAt } from './amounts-of-keys.ts'
import type { Covering } from './cover.ts'
import { type Digest, digestOfKey } from './key-order.ts'

/** A sum of amounts that are converted row by row, for example rounded. */
interface Converted {
  readonly column: string
  /** Returns the conversion for a source; undefined if the source adds nothing. */
  of(source: string): ((amount: bigint) => bigint) | undefined
}

/** A column to sum, unchanged or converted. */
export type Summed = string | Converted

/** Range and columns of sums. Pass the same object again to reuse its buffers. */
export interface GroupSumsQuery {
  readonly range: GroupRange
  readonly summed: readonly Summed[]
}

/** Receives the sums of a group. The array is reused for the next group; the group object is the same for all keys. */
export type VisitSums = (group: GroupKey, sums: readonly Whole[]) => void

/** Sums over the rows of keys, by group. It allocates nothing per key or group. */
export class GroupSums {
  readonly #coverings: readonly Covering[]
  readonly #files: readonly SumsInFile[]

  constructor(coverings: readonly Covering[], { range, summed }: GroupSumsQuery) {
    const names = summed.map((one) => (typeof one === 'string' ? one : one.column))
    const converted = summed.map((one) => (typeof one === 'string' ? undefined : one))
    this.#coverings = coverings
    this.#files = coverings.map(
      (covering) => new SumsInFile(new AmountsOfKeys(covering, range, names), converted),
    )
  }

  /** Returns whether it reads these files. */
  hasCoverings(coverings: readonly Covering[]): boolean {
    return (
      coverings.length === this.#coverings.length &&
      coverings.every((covering, position) => covering === this.#coverings[position])
    )
  }

  /**
   * Visits the groups with rows of `keys`. Returns the keys with rows in the range. Errors: DamagedFile, before any
   * visit.
   */
  read(keys: readonly string[], visit: VisitSums): readonly string[] {
    const withRows = keys.filter((key) => {
      const digest = digestOfKey(key)
      let has = false
      for (const file of this.#files) if (file.add(digest)) has = true
      return has
    })
    for (const file of this.#files) file.take(visit)
    return withRows
  }
}

/** Sums of 32-bit halves of more rows exceed 2^52. */
const MOST_ROWS = 2 ** 20

class SumsInFile {
  readonly #reading: AmountsOfKeys
  readonly #converted: readonly (Converted | undefined)[]
  /** Sums of the lower and upper halves, by group and column. */
  readonly #low: Float64Array
  readonly #high: Float64Array
  readonly #large = new Map<number, bigint>()
  readonly #rows: Uint32Array
  readonly #withRows: number[] = []
  readonly #sums: Whole[]
  #pending = 0

  constructor(reading: AmountsOfKeys, converted: readonly (Converted | undefined)[]) {
    const groups = Math.max(0, reading.endGroup - reading.firstGroup)
    this.#reading = reading
    this.#converted = converted
    this.#low = new Float64Array(groups * converted.length)
    this.#high = new Float64Array(groups * converted.length)
    this.#rows = new Uint32Array(groups)
    this.#sums = converted.map(() => 0)
  }

  add(digest: Digest): boolean {
    const { isIn, places, firstGroup } = this.#reading
    const [low, high, rows, width] = [this.#low, this.#high, this.#rows, this.#converted.length]
    let has = false
    this.#reading.visit(digest, ({ first, end, groups, amounts }) => {
      if (this.#pending + end - first >= MOST_ROWS) this.#settle()
      this.#pending += end - first
      for (let row = first; row < end; row += 1) {
        const group = groupAt(groups, row)
        if (isIn?.(group) === false) continue
        has = true
        const at = group - firstGroup
        if (rows[at] === 0) this.#withRows.push(at)
        rows[at] = uint32At(rows, at) + 1
      }
      for (let index = 0; index < width; index += 1) {
        const ofColumn = amounts[places[index] ?? -1]
        // `take` multiplies values that are common to a group.
        if (ofColumn === undefined) continue
        const converted = this.#converted[index]
        for (let row = first; row < end; row += 1) {
          const group = groupAt(groups, row)
          if (isIn?.(group) === false) continue
          const position = (group - firstGroup) * width + index
          const [lower, higher] = [uint32At(ofColumn, row * 2), uint32At(ofColumn, row * 2 + 1)]
          if (converted === undefined) {
            low[position] = doubleAt(low, position) + lower
            high[position] = doubleAt(high, position) + higher
          } else if ((lower | higher) !== 0)
            this.#addLarge(position, this.#convert(converted, group, (BigInt(higher) << 32n) | BigInt(lower)))
        }
      }
    })
    return has
  }

  take(visit: VisitSums): void {
    const { file, places, shared, firstGroup } = this.#reading
    const width = this.#converted.length
    for (const at of this.#withRows) {
      for (let index = 0; index < width; index += 1) {
        const position = at * width + index
        this.#sums[index] =
          (places[index] ?? -1) >= 0
            ? this.#sumAt(position)
            : this.#sharedSum(shared[index]?.[firstGroup + at], index, at)
        this.#low[position] = 0
        this.#high[position] = 0
      }
      this.#rows[at] = 0
      const group = file.contents.groups[firstGroup + at]
      if (group !== undefined) visit(group, this.#sums)
    }
    this.#withRows.length = 0
    this.#large.clear()
    this.#pending = 0
  }

  #sumAt(position: number): Whole {
    const [low, high] = [doubleAt(this.#low, position), doubleAt(this.#high, position)]
    const sum =
      high < 2 ** 20 && low < 2 ** 52 ? high * 2 ** 32 + low : wholeOf((BigInt(high) << 32n) + BigInt(low))
    return this.#large.size === 0 ? sum : addWholes(this.#large.get(position) ?? 0, sum)
  }

  #sharedSum(amount: bigint | undefined, index: number, at: number): Whole {
    if (amount === undefined || amount === 0n) return 0
    const converted = this.#converted[index]
    const one =
      converted === undefined ? amount : this.#convert(converted, this.#reading.firstGroup + at, amount)
    return wholeOf(one * BigInt(uint32At(this.#rows, at)))
  }

  #convert(converted: Converted, group: number, amount: bigint): bigint {
    return converted.of(this.#reading.file.contents.groups[group]?.source ?? '')?.(amount) ?? 0n
  }

  #addLarge(position: number, amount: bigint): void {
    this.#large.set(position, (this.#large.get(position) ?? 0n) + amount)
  }

  #settle(): void {
    for (const at of this.#withRows)
      for (
        let position = at * this.#converted.length;
        position < (at + 1) * this.#converted.length;
        position += 1
      ) {
        this.#addLarge(
          position,
          (BigInt(doubleAt(this.#high, position)) << 32n) + BigInt(doubleAt(this.#low, position)),
        )
        this.#low[position] = 0
        this.#high[position] = 0
      }
    this.#pending = 0
  }
}
