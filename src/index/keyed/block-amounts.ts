import { wordsOf } from '../blocks/bits.ts'
import { ALL, LENGTH_WIDTH_BITS, NONE, STATE_BITS } from '../blocks/block-layout.ts'
import { type BitCursor, take, unpackInto, unpackNumbers } from '../blocks/unpack-numbers.ts'

/** The group of each row of a block, and numbers of some columns in two halves, 0 for a null; valid until the next block is read. */
export interface BlockAmounts {
  readonly groups: Uint32Array
  readonly amounts: readonly Uint32Array[]
}

const FEWEST = 4096

const states = new Uint8Array(256)
const starts = new Uint32Array(256)

/**
 * Reads the groups and some columns of amounts of a block, without the rest of it. `columns` are numbers of columns of the block; its
 * first column has the groups. Errors: RangeError for more than 255 columns.
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
    cursor.bit = (begin + (starts[column] as number)) * 8
    if (state === ALL) unpackInto(values, cursor, rows)
    else readSome(values, cursor, rows)
    return values
  }
  return { groups: read(0, 0), amounts: columns.map((column, index) => read(column, index + 1)) }
}

/** Memory for the numbers of each column that is read; blocks are read one at a time. */
const memory: Uint32Array[] = []

/** Zeros for so many numbers. */
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
    spread[row * 2] = halves[index * 2] as number
    spread[row * 2 + 1] = halves[index * 2 + 1] as number
  }
}
