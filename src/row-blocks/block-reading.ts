import type { Value } from '../catalog/column.ts'
import type { Row } from '../catalog/resource.ts'
import { unzigzag } from '../derive/column-codecs.ts'
import { firstAtLeast } from '../lake/first-place.ts'
import type { UnpackedColumn } from './block-columns.ts'
import type { BlockFile, OpenBlock } from './block-file.ts'
import { BLOCK_ROWS } from './block-layout.ts'
import { compareAt, compareFences, type Fence, fenceOf } from './fences.ts'
import type { Halves } from './packing.ts'
import type { StoredColumn } from './stored-columns.ts'
import type { TextsOfPart } from './text-parts.ts'

/** Reads values of a file for one answer. Errors: DamagedFile. */
export class BlockReading {
  readonly file: BlockFile
  #number = -1
  #block: OpenBlock = () => undefined
  #textColumn = -1
  #firstText = 0
  #texts: TextsOfPart = { bytes: Buffer.alloc(0), offsets: Uint32Array.of(0) }
  /** The number that was compared with last, and its halves. */
  #number64 = 0n
  #halves64: readonly [low: number, high: number] = [0, 0]

  constructor(file: BlockFile) {
    this.file = file
  }

  /** Rows `first` up to but not including `end`, with the columns of these numbers. */
  rows(columns: readonly number[], first: number, end: number): readonly Row[] {
    const rows: Record<string, Value>[] = []
    for (let row = first; row < end; row += 1) rows.push({})
    for (const column of columns) {
      const { name } = this.#stored(column)
      for (let place = 0; place < rows.length; place += 1)
        (rows[place] as Record<string, Value>)[name] = this.value(column, first + place)
    }
    return rows
  }

  value(column: number, row: number): Value {
    const stored = this.#stored(column)
    const unpacked = this.#column(column, row)
    const place = placeOf(unpacked, row % BLOCK_ROWS)
    if (unpacked === undefined || place < 0) return null
    const { halves } = unpacked
    if (stored.as === 'text') return this.#text(column, halves[place * 2] as number)
    const number = bigintAt(halves, place)
    if (stored.as === 'signed') {
      const value = unzigzag(number)
      return stored.column.kind === 'integer' ? Number(value) : value
    }
    if (stored.as === 'unsigned') return stored.codec.toValue(number)
    if ((number & 1n) === 0n) return stored.codec.toValue(number >> 1n)
    return this.#text(column, Number(number >> 1n))
  }

  /** How the value of a row compares with another one; NaN for a null, so that it is neither more nor less. */
  compare(column: number, row: number, other: Fence): number {
    const { as } = this.#stored(column)
    if (as === 'signed' && typeof other === 'bigint') return this.#compareSigned(column, row, other)
    if (as !== 'text' || typeof other === 'bigint') {
      const value = this.value(column, row)
      return value === null ? Number.NaN : compareFences(fenceOf(value), other)
    }
    const unpacked = this.#column(column, row)
    const place = placeOf(unpacked, row % BLOCK_ROWS)
    if (unpacked === undefined || place < 0) return Number.NaN
    const own = this.#placeOfText(column, unpacked.halves[place * 2] as number)
    const { bytes, offsets } = this.#texts
    return compareAt(bytes, offsets[own] as number, offsets[own + 1] as number, other)
  }

  /** Without a bigint for each row. */
  #compareSigned(column: number, row: number, other: bigint): number {
    const unpacked = this.#column(column, row)
    const place = placeOf(unpacked, row % BLOCK_ROWS)
    if (unpacked === undefined || place < 0) return Number.NaN
    if (other !== this.#number64) {
      this.#number64 = other
      this.#halves64 = [Number(other & 0xffffffffn), highHalfOf(other)]
    }
    const [low, high] = [unpacked.halves[place * 2] as number, unpacked.halves[place * 2 + 1] as number]
    const sign = -(low & 1)
    const above = ((high >>> 1) ^ sign) - this.#halves64[1]
    return above === 0 ? ((((low >>> 1) | (high << 31)) ^ sign) >>> 0) - this.#halves64[0] : above
  }

  #stored(column: number): StoredColumn {
    return this.file.columns[column] as StoredColumn
  }

  #column(column: number, row: number): UnpackedColumn | undefined {
    const number = Math.floor(row / BLOCK_ROWS)
    if (number !== this.#number) {
      this.#block = this.file.block(number)
      this.#number = number
    }
    return this.#block(column)
  }

  #text(column: number, number: number): NonNullable<Value> {
    const own = this.#placeOfText(column, number)
    const { bytes, offsets } = this.#texts
    const { codec, column: declared } = this.#stored(column)
    const [start, end] = [offsets[own], offsets[own + 1]]
    return isPlain(declared.kind)
      ? bytes.toString('utf8', start, end)
      : codec.toValue(bytes.toString('latin1', start, end))
  }

  /** Opens the part of texts that has the text of a number, unless it is open, and gives its place there. */
  #placeOfText(column: number, number: number): number {
    const near = number - this.#firstText
    if (column === this.#textColumn && near >= 0 && near < this.#texts.offsets.length - 1) return near
    const { firsts } = this.file.textParts(column)
    const part = firstAtLeast(firsts, number + 1) - 1
    this.#texts = this.file.readTexts(column, part)
    this.#textColumn = column
    this.#firstText = firsts[part] as number
    return number - this.#firstText
  }
}

/** Kinds whose value is the text itself. */
export const isPlain = (kind: string) =>
  kind === 'text' || kind === 'uuid' || kind === 'json' || kind === 'object'

function placeOf(unpacked: UnpackedColumn | undefined, row: number): number {
  if (unpacked === undefined) return -1
  return unpacked.places === undefined ? row : (unpacked.places[row] as number)
}

/** With its sign; infinite for a number of more than 64 bits. */
function highHalfOf(number: bigint): number {
  if (BigInt.asIntN(64, number) === number) return Number(number >> 32n)
  return number > 0n ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY
}

function bigintAt(halves: Halves, place: number): bigint {
  const low = BigInt(halves[place * 2] as number)
  const high = halves[place * 2 + 1] as number
  return high === 0 ? low : (BigInt(high) << 32n) | low
}
