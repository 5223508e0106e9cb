import { BitWriter, bitLength } from './bits.ts'
import { ALL, LENGTH_WIDTH_BITS, NONE, SOME, STATE_BITS } from './block-layout.ts'
import { packNumbers } from './pack-numbers.ts'

/** The numbers of a column for the rows of the block that is under way. */
export class GatheredColumn {
  readonly #halves: Uint32Array
  readonly #isThere: Uint8Array
  #rows = 0
  #there = 0

  /** A block has at most so many rows. */
  constructor(mostRows: number) {
    this.#halves = new Uint32Array(mostRows * 2)
    this.#isThere = new Uint8Array(mostRows)
  }

  add(low: number, high: number): void {
    this.#halves[this.#there * 2] = low
    this.#halves[this.#there * 2 + 1] = high
    this.#there += 1
    this.#isThere[this.#rows] = 1
    this.#rows += 1
  }

  addNull(): void {
    this.#isThere[this.#rows] = 0
    this.#rows += 1
  }

  get state(): number {
    return this.#there === 0 ? NONE : this.#there === this.#rows ? ALL : SOME
  }

  /** Writes what was gathered; then it begins anew. */
  write(writer: BitWriter): void {
    if (this.state === SOME)
      for (let row = 0; row < this.#rows; row += 1) writer.put(this.#isThere[row] as number, 1)
    if (this.#there > 0) packNumbers(writer, this.#halves.subarray(0, this.#there * 2))
    this.#rows = 0
    this.#there = 0
  }
}

const head = new BitWriter()

/** A block: the state of each column, the length of each that has values, then these columns. */
export function writeBlock(columns: readonly GatheredColumn[], writer: BitWriter): Buffer {
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
  for (const [index, state] of states.entries()) if (state !== NONE) head.put(lengths[index] as number, width)
  return Buffer.concat([head.take(), writer.take()])
}
