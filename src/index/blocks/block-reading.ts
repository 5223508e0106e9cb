import { firstIndexNear } from '../../base/values/first-index.ts'
import { uint32At } from '../../base/values/typed-at.ts'
import type { Value } from '../../catalog/column.ts'
import type { Row } from '../../catalog/resource.ts'
import type { BlockFile, Blocks } from './block-file.ts'
import type { OpenBlock } from './open-block.ts'
import {
  compareSearchValues,
  compareText,
  SearchNumber,
  type SearchValue,
  toSearchValue,
} from './search-value.ts'
import type { StoredColumn } from './stored-columns.ts'
import { noTexts } from './text-list.ts'
import type { Halves } from './unpack-numbers.ts'

/** Reads values of a file for one request. Errors: DamagedFile. */
export class BlockReading<File extends Blocks = BlockFile> {
  readonly file: File
  #first = 0
  #end = 0
  #block: OpenBlock | undefined
  #textColumn = -1
  #firstText = 0
  #texts = noTexts

  constructor(file: File) {
    this.file = file
  }

  /** Reads rows `first` to `end`, without `end`. */
  rows(columns: readonly number[], first: number, end: number): readonly Row[] {
    const rows: Record<string, Value>[] = []
    for (let row = first; row < end; row += 1) rows.push({})
    for (const column of columns) {
      const { name } = this.#stored(column)
      let number = first
      for (const row of rows) {
        row[name] = this.value(column, number)
        number += 1
      }
    }
    return rows
  }

  value(column: number, row: number): Value {
    const stored = this.#stored(column)
    const block = this.#blockOf(row)
    const index = block.wordOf(column, row - this.#first)
    if (index < 0) return null
    const { words } = block
    if (stored.as === 'text') return this.#text(column, uint32At(words, index))
    if (stored.as === 'signed') {
      const value = signedAt(words, index)
      return stored.column.kind === 'integer' ? Number(value) : value
    }
    const number = bigintAt(words, index)
    if (stored.as === 'unsigned') return stored.codec.toValue(number)
    if ((number & 1n) === 0n) return stored.codec.toValue(number >> 1n)
    return this.#text(column, Number(number >> 1n))
  }

  /** Compares a stored value with a search value; NaN for a null. */
  compare(column: number, row: number, other: SearchValue): number {
    const { as } = this.#stored(column)
    const isNumber = other instanceof SearchNumber
    if (isNumber ? as !== 'signed' : as !== 'text') {
      const value = this.value(column, row)
      return value === null ? Number.NaN : compareSearchValues(toSearchValue(value), other)
    }
    const block = this.#blockOf(row)
    const index = block.wordOf(column, row - this.#first)
    if (index < 0) return Number.NaN
    const { words } = block
    if (isNumber) return compareSigned(uint32At(words, index), uint32At(words, index + 1), other)
    const inPart = this.#openText(column, uint32At(words, index))
    return compareText(this.#texts, inPart, other)
  }

  /** Returns a number that only equal values of the column share; -1 if a value has none, -2 for a null. */
  token(column: number, row: number): number {
    const block = this.#blockOf(row)
    const index = block.wordOf(column, row - this.#first)
    if (index < 0) return -2
    return block.words[index + 1] === 0 ? uint32At(block.words, index) : -1
  }

  #stored(column: number): StoredColumn {
    const stored = this.file.columns[column]
    if (stored === undefined) throw new RangeError(`a block has no column ${column}`)
    return stored
  }

  #blockOf(row: number): OpenBlock {
    if (this.#block !== undefined && row >= this.#first && row < this.#end) return this.#block
    const { file } = this
    const number = file.blockOf(row)
    this.#block = file.block(number)
    this.#first = file.firstRowOf(number)
    this.#end = file.firstRowOf(number + 1)
    return this.#block
  }

  textOf(column: number, number: number): string {
    return String(this.#text(column, number))
  }

  /** Returns a text with one character per byte. */
  bytesOfText(column: number, number: number): string {
    return this.#decodeText(column, number, 'latin1')
  }

  #text(column: number, number: number): NonNullable<Value> {
    const { codec, column: declared } = this.#stored(column)
    return isPlain(declared.kind)
      ? this.#decodeText(column, number, 'utf8')
      : codec.toValue(this.#decodeText(column, number, 'latin1'))
  }

  #decodeText(column: number, number: number, encoding: 'latin1' | 'utf8'): string {
    const inPart = this.#openText(column, number)
    const { bytes, places } = this.#texts
    return bytes.toString(encoding, places[inPart * 2 + 1], places[inPart * 2 + 3])
  }

  /** Opens the part of a text. Returns the index of the text in it. */
  #openText(column: number, number: number): number {
    const near = number - this.#firstText
    if (column === this.#textColumn && near >= 0 && near < this.#texts.count) return near
    const { firsts } = this.file.textParts(column)
    const part = partOf(firsts, number)
    this.#texts = this.file.readTexts(column, part)
    this.#textColumn = column
    this.#firstText = uint32At(firsts, part)
    return number - this.#firstText
  }
}

/** Finds the part of a text. Parts have about as many texts each. */
function partOf(firsts: Uint32Array, number: number): number {
  const last = firsts.length - 1
  const estimate = Math.ceil((number / uint32At(firsts, last)) * last)
  const around = { low: 0, high: firsts.length, estimate }
  return firstIndexNear(around, 1, (part) => uint32At(firsts, part) > number) - 1
}

/** Returns whether values of a kind are stored as their text. */
export const isPlain = (kind: string) =>
  kind === 'text' || kind === 'uuid' || kind === 'json' || kind === 'object'

/** Compares a zigzag number without a bigint. */
function compareSigned(low: number, high: number, other: SearchNumber): number {
  const sign = -(low & 1)
  const above = ((high >>> 1) ^ sign) - other.high
  return above === 0 ? ((((low >>> 1) | (high << 31)) ^ sign) >>> 0) - other.low : above
}

/** Decodes a zigzag number; most have 32 bits. */
function signedAt(words: Halves, index: number): bigint {
  const [low, high] = [uint32At(words, index), uint32At(words, index + 1)]
  const sign = -(low & 1)
  const below = BigInt((((low >>> 1) | (high << 31)) ^ sign) >>> 0)
  const above = (high >>> 1) ^ sign
  return above === 0 ? below : (BigInt(above) << 32n) | below
}

function bigintAt(words: Halves, index: number): bigint {
  const low = BigInt(uint32At(words, index))
  const high = uint32At(words, index + 1)
  return high === 0 ? low : (BigInt(high) << 32n) | low
}
