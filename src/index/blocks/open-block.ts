import { wordsOf } from './bits.ts'
import { ALL, LENGTH_WIDTH_BITS, NONE, STATE_BITS } from './block-layout.ts'
import { type BitCursor, take, unpackNumbers } from './unpack-numbers.ts'

/** The state of a column that is unpacked. */
const UNPACKED = 3

/**
 * The numbers of a block; a column is unpacked when it is first asked for. The values of a row lie side by side, so that a lookup fetches
 * few lines of memory: first a bit for each column, set where it is unpacked and has a value, then the halves of each value.
 */
export class OpenBlock {
  readonly words: Uint32Array
  readonly #bytes: Buffer
  readonly #packed: Uint32Array
  readonly #rows: number
  readonly #states: Uint8Array
  /** Where the first column begins among the bytes, and from there on each. */
  readonly #begin: number
  readonly #starts: Uint32Array
  /** Words with bits at the beginning of each row, and all words of it. */
  readonly #bitWords: number
  readonly #rowWords: number

  /** The first `stored` columns are in the bytes; the others have no value. */
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

  /** About how much memory it takes. */
  get bytes(): number {
    return this.#bytes.length + this.words.byteLength
  }

  /** Where among the words the value of a row is; -1 where it has none. */
  wordOf(column: number, row: number): number {
    const start = row * this.#rowWords
    const bits = this.words[start + (column >>> 5)] as number
    if ((bits & (1 << (column & 31))) !== 0) return start + this.#bitWords + column * 2
    if (this.#states[column] === UNPACKED) return -1
    this.#unpack(column)
    return this.wordOf(column, row)
  }

  #unpack(column: number): void {
    const begin = this.#begin + (this.#starts[column] as number)
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
      this.words[start + (column >>> 5)] =
        (this.words[start + (column >>> 5)] as number) | (1 << (column & 31))
      this.words[value] = halves[index * 2] as number
      this.words[value + 1] = halves[index * 2 + 1] as number
    }
  }
}
