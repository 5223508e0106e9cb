import { uint32At } from '../../base/values/typed-at.ts'
import { wordsOf } from './bits.ts'
import { ALL, LENGTH_WIDTH_BITS, NONE, STATE_BITS } from './block-layout.ts'
import { type BitCursor, take, unpackNumbers } from './unpack-numbers.ts'

/** State of an unpacked column. */
const UNPACKED = 3

/**
 * The numbers of a block. A column is unpacked on first use. The values of a row are adjacent, so that a lookup touches
 * few cache lines. A row begins with a bit per column, set if the column is unpacked and has a value; the two halves of
 * each value follow.
 */
export class OpenBlock {
  readonly words: Uint32Array
  readonly #bytes: Buffer
  readonly #packed: Uint32Array
  readonly #rows: number
  readonly #states: Uint8Array
  /** Offset of the first column in the bytes, and of each column from there. */
  readonly #begin: number
  readonly #starts: Uint32Array
  /** Words of bits at the start of a row, and of the whole row. */
  readonly #bitWords: number
  readonly #rowWords: number

  /** Only the first `stored` columns are in `bytes`; the rest have no values. */
  constructor(bytes: Buffer, stored: number, rows: number, columns = stored) {
    const cursor: BitCursor = { words: wordsOf(bytes), bit: 0 }
    const states = new Uint8Array(columns).fill(UNPACKED)
    for (let column = 0; column < stored; column += 1) states[column] = take(cursor, STATE_BITS)
    const width = take(cursor, LENGTH_WIDTH_BITS)
    this.#starts = new Uint32Array(stored)
    let next = 0
    for (let column = 0; column < stored; column += 1) {
      this.#starts[column] = next
      if (states[column] !== NONE) next += take(cursor, width)
    }
    this.#begin = (cursor.bit + 7) >>> 3
    this.#bytes = bytes
    this.#packed = cursor.words
    this.#rows = rows
    this.#states = states
    this.#bitWords = Math.ceil(columns / 32)
    this.#rowWords = this.#bitWords + columns * 2
    this.words = new Uint32Array(rows * this.#rowWords)
  }

  /** Approximate memory in bytes. */
  get bytes(): number {
    return this.#bytes.length + this.words.byteLength
  }

  /** Returns the index in `words` of a value; -1 for a null. */
  wordOf(column: number, row: number): number {
    const start = row * this.#rowWords
    const bits = uint32At(this.words, start + (column >>> 5))
    if ((bits & (1 << (column & 31))) !== 0) return start + this.#bitWords + column * 2
    if (this.#states[column] === UNPACKED) return -1
    this.#unpack(column)
    return this.wordOf(column, row)
  }

  #unpack(column: number): void {
    const begin = this.#begin + uint32At(this.#starts, column)
    const cursor: BitCursor = { words: this.#packed, bit: begin * 8 }
    const state = this.#states[column]
    this.#states[column] = UNPACKED
    if (state === NONE) return
    const starts: number[] = []
    for (let row = 0; row < this.#rows; row += 1)
      if (state === ALL || take(cursor, 1) === 1) starts.push(row * this.#rowWords)
    const halves = unpackNumbers(cursor, starts.length)
    for (const [index, start] of starts.entries()) {
      const value = start + this.#bitWords + column * 2
      this.words[start + (column >>> 5)] = uint32At(this.words, start + (column >>> 5)) | (1 << (column & 31))
      this.words[value] = uint32At(halves, index * 2)
      this.words[value + 1] = uint32At(halves, index * 2 + 1)
    }
  }
}
