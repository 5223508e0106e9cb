import { byteAt } from '../../base/values/typed-at.ts'
import { BitWriter, bitLength } from './bits.ts'
import { ALL, LENGTH_WIDTH_BITS, NONE, SOME, STATE_BITS } from './block-layout.ts'
import { packNumbers } from './pack-numbers.ts'

/** Buffers the numbers of a column for the current block. */
export class ColumnBuffer {
  readonly #halves: Uint32Array
  readonly #isPresent: Uint8Array
  #rows = 0
  #values = 0

  constructor(mostRows: number) {
    this.#halves = new Uint32Array(mostRows * 2)
    this.#isPresent = new Uint8Array(mostRows)
  }

  add(low: number, high: number): void {
    this.#halves[this.#values * 2] = low
    this.#halves[this.#values * 2 + 1] = high
    this.#values += 1
    this.#isPresent[this.#rows] = 1
    this.#rows += 1
  }

  addNull(): void {
    this.#isPresent[this.#rows] = 0
    this.#rows += 1
  }

  get state(): number {
    return this.#values === 0 ? NONE : this.#values === this.#rows ? ALL : SOME
  }

  /** Writes the numbers and resets the buffer. */
  write(writer: BitWriter): void {
    if (this.state === SOME)
      for (let row = 0; row < this.#rows; row += 1) writer.put(byteAt(this.#isPresent, row), 1)
    if (this.#values > 0) packNumbers(writer, this.#halves.subarray(0, this.#values * 2))
    this.#rows = 0
    this.#values = 0
  }
}

const head = new BitWriter()

/** Writes a block: the state of each column, the lengths of columns with values, then these columns. */
export function writeBlock(columns: readonly ColumnBuffer[], writer: BitWriter): Buffer {
  const states = columns.map((column) => column.state)
  let [end, longest] = [0, 0]
  const lengths = columns.map((column) => {
    column.write(writer)
    const length = writer.align() - end
    end += length
    longest = Math.max(longest, length)
    return length
  })
  const width = bitLength(longest, 0)
  for (const state of states) head.put(state, STATE_BITS)
  head.put(width, LENGTH_WIDTH_BITS)
  for (const [index, length] of lengths.entries()) if (states[index] !== NONE) head.put(length, width)
  return Buffer.concat([head.take(), writer.take()])
}
