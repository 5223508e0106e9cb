import { doubleAt, uint32At } from '../../base/values/typed-at.ts'
import type { GroupRange } from '../../catalog/query/group-range.ts'
import { AmountsOfKeys, groupAt, type RowsInBlock } from './amounts-of-keys.ts'
import type { Covering } from './cover.ts'
import { digestOfKey } from './key-order.ts'

/** Receives the source of a summed row and its amounts by column. */
export type VisitRow = (source: string, amountOf: (column: string) => bigint) => void

/** Sums of 32-bit halves of more rows exceed 2^53. */
const MOST_ROWS = 2 ** 20

/** Exact sums in two halves of 32 bits, several times as fast as bigints. */
export class HalfSums {
  readonly sums: bigint[]
  readonly #low: Float64Array
  readonly #high: Float64Array
  #pending = 0

  constructor(length: number) {
    this.sums = Array<bigint>(length).fill(0n)
    this.#low = new Float64Array(length)
    this.#high = new Float64Array(length)
  }

  add(index: number, low: number, high: number): void {
    this.#low[index] = doubleAt(this.#low, index) + low
    this.#high[index] = doubleAt(this.#high, index) + high
  }

  /** Must be called before rows are added. */
  reserve(rows: number): void {
    this.#pending += rows
    if (this.#pending < MOST_ROWS) return
    this.settle()
    this.#pending = rows
  }

  /** Adds the halves to `sums`. */
  settle(): void {
    for (let index = 0; index < this.#low.length; index += 1) {
      const [low, high] = [doubleAt(this.#low, index), doubleAt(this.#high, index)]
      if (low === 0 && high === 0) continue
      this.sums[index] = (this.sums[index] ?? 0n) + (BigInt(high) << 32n) + BigInt(low)
      this.#low[index] = 0
      this.#high[index] = 0
    }
    this.#pending = 0
  }
}

/** Sums columns over the rows of a key. Errors: DamagedFile. */
export function sumKey(
  coverings: readonly Covering[],
  key: string,
  range: GroupRange,
  names: readonly string[],
  visit: VisitRow | undefined,
): readonly bigint[] {
  const digest = digestOfKey(key)
  const halves = new HalfSums(names.length)
  for (const covering of coverings) {
    const reading = new AmountsOfKeys(covering, range, names)
    reading.visit(digest, (rows) => {
      halves.reserve(rows.end - rows.first)
      for (let index = 0; index < names.length; index += 1) addColumn(reading, rows, index, halves)
      if (visit !== undefined) visitRows(reading, rows, names, visit)
    })
  }
  halves.settle()
  return halves.sums
}

function addColumn(
  { isIn, places, shared }: AmountsOfKeys,
  rows: RowsInBlock,
  index: number,
  halves: HalfSums,
) {
  const { first, end, groups, amounts } = rows
  const ofColumn = amounts[places[index] ?? -1]
  const ofGroups = shared[index]
  if (ofColumn === undefined && ofGroups === undefined) return
  let [low, high] = [0, 0]
  for (let row = first; row < end; row += 1) {
    if (isIn !== undefined && !isIn(groupAt(groups, row))) continue
    if (ofColumn === undefined)
      halves.sums[index] = (halves.sums[index] ?? 0n) + (ofGroups?.[groupAt(groups, row)] ?? 0n)
    else {
      low += uint32At(ofColumn, row * 2)
      high += uint32At(ofColumn, row * 2 + 1)
    }
  }
  halves.add(index, low, high)
}

function visitRows(
  reading: AmountsOfKeys,
  rows: RowsInBlock,
  names: readonly string[],
  visit: VisitRow,
): void {
  const { isIn, file } = reading
  for (let row = rows.first; row < rows.end; row += 1) {
    const group = groupAt(rows.groups, row)
    if (isIn?.(group) === false) continue
    visit(file.contents.groups[group]?.source ?? '', (name) => amountAt(reading, rows, names, name, row))
  }
}

function amountAt(
  { places, shared }: AmountsOfKeys,
  { groups, amounts }: RowsInBlock,
  names: readonly string[],
  name: string,
  row: number,
): bigint {
  const index = names.indexOf(name)
  const ofColumn = amounts[places[index] ?? -1]
  if (ofColumn === undefined) return shared[index]?.[groupAt(groups, row)] ?? 0n
  return bigintAt(ofColumn, row)
}

function bigintAt(halves: Uint32Array, row: number): bigint {
  return (BigInt(uint32At(halves, row * 2 + 1)) << 32n) | BigInt(uint32At(halves, row * 2))
}
