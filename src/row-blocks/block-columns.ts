import { type BitWriter, bitLength } from './bits.ts'
import { BLOCK_ROWS } from './block-layout.ts'
import { packNumbers } from './pack-numbers.ts'
import type { Halves } from './packing.ts'
import { type BitPlace, take, unpackNumbers } from './unpack-numbers.ts'

/** Which rows of a block have a value in a column. */
const NONE = 0
const ALL = 1
const SOME = 2

const STATE_BITS = 2
const WIDTH_BITS = 5

/** The numbers of a column for the rows of the block that is under way. */
export class GatheredColumn {
  readonly #halves = new Uint32Array(BLOCK_ROWS * 2)
  readonly #isThere = new Uint8Array(BLOCK_ROWS)
  #rows = 0
  #there = 0

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

  /** What was gathered as bytes; then it begins anew. */
  take(writer: BitWriter): Buffer {
    if (this.state === SOME)
      for (let row = 0; row < this.#rows; row += 1) writer.put(this.#isThere[row] as number, 1)
    if (this.#there > 0) packNumbers(writer, this.#halves.subarray(0, this.#there * 2))
    this.#rows = 0
    this.#there = 0
    return writer.take()
  }
}

/** A block: the state of each column, the length of each that has values, then these columns. */
export function writeBlock(columns: readonly GatheredColumn[], writer: BitWriter): Buffer {
  const states = columns.map((column) => column.state)
  const packed = columns.map((column) => column.take(writer))
  const lengths = packed.map((bytes) => bytes.length)
  const width = bitLength(Math.max(0, ...lengths), 0)
  for (const state of states) writer.put(state, STATE_BITS)
  writer.put(width, WIDTH_BITS)
  for (const [place, state] of states.entries())
    if (state !== NONE) writer.put(lengths[place] as number, width)
  return Buffer.concat([writer.take(), ...packed])
}

/** A column of a block, unpacked. */
export interface UnpackedColumn {
  readonly halves: Halves
  /** For each row its place among those with a value, or -1; undefined where all have one. */
  readonly places: Int16Array | undefined
}

/** The columns of a block; each is unpacked when it is first asked for. Undefined for one without any value. */
export function openBlock(
  bytes: Buffer,
  columns: number,
  rows: number,
): (column: number) => UnpackedColumn | undefined {
  const place: BitPlace = { bytes, bit: 0 }
  const states = new Uint8Array(columns)
  for (let column = 0; column < columns; column += 1) states[column] = take(place, STATE_BITS)
  const width = take(place, WIDTH_BITS)
  const starts = new Uint32Array(columns)
  let next = 0
  for (let column = 0; column < columns; column += 1) {
    starts[column] = next
    if (states[column] !== NONE) next += take(place, width)
  }
  const begin = (place.bit + 7) >>> 3
  const unpacked = new Array<UnpackedColumn | undefined>(columns)
  return (column) => {
    const known = unpacked[column]
    if (known !== undefined) return known
    if (states[column] === NONE) return undefined
    const own = { bytes, bit: (begin + (starts[column] as number)) * 8 }
    const made = unpack(own, states[column] === SOME, rows)
    unpacked[column] = made
    return made
  }
}

function unpack(place: BitPlace, isSome: boolean, rows: number): UnpackedColumn {
  if (!isSome) return { halves: unpackNumbers(place, rows), places: undefined }
  const places = new Int16Array(rows)
  let there = 0
  for (let row = 0; row < rows; row += 1) places[row] = take(place, 1) === 1 ? there++ : -1
  return { halves: unpackNumbers(place, there), places }
}
