import { isDeepStrictEqual } from 'node:util'
import { itemAt } from '../../../base/values/item-at.ts'
import { int32At, uint32At } from '../../../base/values/typed-at.ts'
import type { Value } from '../../../catalog/column.ts'
import type { Row } from '../../../catalog/resource.ts'
import type { BlockReading } from '../../blocks/block-reading.ts'

/** Consecutive rows of a block. */
export interface RowsOfBlock {
  readonly reading: BlockReading
  readonly block: number
  /** Group number of each row; -1 for an excluded row. */
  readonly groups: Int32Array
}

/** Finds the columns with a single value in each group. */
export class CommonValues {
  readonly #names: readonly string[]
  readonly #groups: number
  /** Indexes of the columns without two values in any group so far. */
  #common: readonly number[]
  /** Value of each group and column. `#lows` and `#highs` hold its stored number in the file of `#files`; -1 for null. */
  readonly #values: Value[]
  readonly #files: unknown[]
  readonly #lows: Float64Array
  readonly #highs: Float64Array

  constructor(names: readonly string[], groups: number) {
    const values = names.length * groups
    this.#names = names
    this.#groups = groups
    this.#common = names.map((_, position) => position)
    this.#values = Array.from({ length: values }, () => null)
    this.#files = Array.from({ length: values })
    this.#lows = new Float64Array(values)
    this.#highs = new Float64Array(values)
  }

  add(rows: RowsOfBlock): void {
    this.#common = this.#common.filter((position) => this.#isCommonIn(rows, position))
  }

  /** Returns the common values of each group by column; null for a group without rows. */
  take(): readonly Row[] {
    return Array.from({ length: this.#groups }, (_, group) =>
      Object.fromEntries(
        this.#common.map((position) => [
          itemAt(this.#names, position),
          this.#values[group * this.#names.length + position] ?? null,
        ]),
      ),
    )
  }

  #isCommonIn({ reading, block, groups }: RowsOfBlock, position: number): boolean {
    const { file } = reading
    const column = file.numberOf(itemAt(this.#names, position))
    const open = file.block(block)
    for (let row = 0; row < groups.length; row += 1) {
      const group = int32At(groups, row)
      if (group < 0) continue
      const index = group * this.#names.length + position
      const at = open.wordOf(column, row)
      const low = at < 0 ? -1 : uint32At(open.words, at)
      const high = at < 0 ? -1 : uint32At(open.words, at + 1)
      if (this.#files[index] === file) {
        if (this.#lows[index] !== low || this.#highs[index] !== high) return false
        continue
      }
      // Text numbers differ between files, so values are compared.
      const value = reading.value(column, file.firstRowOf(block) + row)
      if (this.#files[index] !== undefined && !isDeepStrictEqual(this.#values[index], value)) return false
      this.#files[index] = file
      this.#values[index] = value
      this.#lows[index] = low
      this.#highs[index] = high
    }
    return true
  }
}
