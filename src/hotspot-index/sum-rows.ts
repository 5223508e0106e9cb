import { bigintOf } from '../catalog/column.ts'
import { halvesAt, NULL, numberAt, scanRows } from './block.ts'
import type { BlockLayout } from './block-layout.ts'

/** So many rows can be added before a sum of 32-bit halves is no exact number any more. */
export const MOST_ROWS = 2 ** 20

/**
 * Sums columns of amounts over the rows of groups that are in a range, and calls `visit` for each of them.
 * Shape: one sum for each of `columns`.
 */
export function sumRows(
  bytes: Buffer,
  layout: BlockLayout,
  isIn: (group: number) => boolean,
  columns: readonly number[],
  visit?: (group: number, amountOf: (column: number) => bigint) => void,
): readonly bigint[] {
  const sums = columns.map(() => 0n)
  const low = new Float64Array(columns.length)
  const high = new Float64Array(columns.length)
  let pending = 0
  const settle = () => {
    for (let index = 0; index < sums.length; index += 1) {
      sums[index] = (sums[index] ?? 0n) + (BigInt(high[index] ?? 0) << 32n) + BigInt(low[index] ?? 0)
    }
    low.fill(0)
    high.fill(0)
    pending = 0
  }
  scanRows(bytes, layout, ({ group, codes, starts }) => {
    if (!isIn(group)) return
    for (let index = 0; index < columns.length; index += 1) {
      const column = columns[index] ?? 0
      const field = layout.fieldOf(group, column)
      if (field < 0) {
        const shared = layout.commonOf(group, column)
        if (shared !== undefined && shared !== 0n) sums[index] = (sums[index] ?? 0n) + bigintOf(shared)
        continue
      }
      const code = codes[field] ?? 0
      if (code !== NULL) halvesAt(bytes, starts[field] ?? 0, code, low, high, index)
    }
    pending += 1
    if (pending >= MOST_ROWS) settle()
    visit?.(group, (column) => {
      const field = layout.fieldOf(group, column)
      if (field < 0) return bigintOf(layout.commonOf(group, column) ?? 0n)
      const code = codes[field] ?? 0
      return code === NULL ? 0n : numberAt(bytes, starts[field] ?? 0, code)
    })
  })
  settle()
  return sums
}
