import { uint32At } from '../../base/values/typed-at.ts'
import { wordsOf } from '../blocks/bits.ts'
import { ALL, LENGTH_WIDTH_BITS, NONE, STATE_BITS } from '../blocks/block-layout.ts'
import { type BitCursor, take, unpackInto, unpackNumbers } from '../blocks/unpack-numbers.ts'

/**
 * The groups of a block's rows, and the values of some columns in two halves; a null is 0. The next read reuses the
 * arrays.
 */
export interface BlockAmounts {
  readonly groups: Uint32Array
  readonly amounts: readonly Uint32Array[]
}

const FEWEST = 4096

const states = new Uint8Array(256)
const starts = new Uint32Array(256)

/**
 * Reads only the groups (column 0) and some columns of a block; `columns` are column numbers of the block. Errors:
 * RangeError for more than 255 columns.
 */
export function readAmounts(
  bytes: Buffer,
  rows: number,
  all: number,
  columns: readonly number[],
): BlockAmounts {
  if (all >= states.length) throw new RangeError(`${all} columns are more than a block of keys may have`)
  const cursor: BitCursor = { words: wordsOf(bytes), bit: 0 }
  for (let column = 0; column < all; column += 1) states[column] = take(cursor, STATE_BITS)
  const width = take(cursor, LENGTH_WIDTH_BITS)
  let next = 0
  for (let column = 0; column < all; column += 1) {
    starts[column] = next
    if (states[column] !== NONE) next += take(cursor, width)
  }
  const begin = (cursor.bit + 7) >>> 3
  const read = (column: number, into: number): Uint32Array => {
    const state = states[column]
    const values = scratch(into, rows)
    if (state === NONE) return values
    cursor.bit = (begin + uint32At(starts, column)) * 8
    if (state === ALL) unpackInto(values, cursor, rows)
    else readSome(values, cursor, rows)
    return values
  }
  return { groups: read(0, 0), amounts: columns.map((column, index) => read(column, index + 1)) }
}

/** Buffers of the read columns; blocks are read one at a time. */
const memory: Uint32Array[] = []

/** Returns a zeroed buffer for `rows` numbers. */
function scratch(cursor: number, rows: number): Uint32Array {
  let values = memory[cursor]
  if (values === undefined || values.length < rows * 2) {
    values = new Uint32Array(Math.max(FEWEST, rows * 2))
    memory[cursor] = values
  } else values.fill(0, 0, rows * 2)
  return values
}

function readSome(spread: Uint32Array, cursor: BitCursor, rows: number): void {
  const there: number[] = []
  for (let row = 0; row < rows; row += 1) if (take(cursor, 1) === 1) there.push(row)
  const halves = unpackNumbers(cursor, there.length)
  for (const [index, row] of there.entries()) {
    spread[row * 2] = uint32At(halves, index * 2)
    spread[row * 2 + 1] = uint32At(halves, index * 2 + 1)
  }
}
