import type { Value } from '../catalog/column.ts'
import type { Row } from '../catalog/resource.ts'
import { unzigzag } from '../derive/column-codecs.ts'
import { firstPlace } from '../lake/first-place.ts'
import type { UnpackedColumn } from './block-columns.ts'
import type { BlockFile } from './block-file.ts'
import { BLOCK_ROWS } from './block-layout.ts'
import type { Fence } from './fences.ts'
import type { Halves } from './packed-numbers.ts'
import type { StoredColumn } from './stored-columns.ts'
import type { TextsOfPart } from './text-parts.ts'

type OpenBlock = ReturnType<BlockFile['block']>

/** Reads values of a file for one answer: each block and each part of texts once. Errors: DamagedFile. */
export class BlockReading {
  readonly file: BlockFile
  readonly #blocks = new Map<number, OpenBlock>()
  readonly #parts: (Map<number, TextsOfPart> | undefined)[] = []

  constructor(file: BlockFile) {
    this.file = file
  }

  /** The number of a column; -1 for one that is not stored. */
  numberOf(name: string): number {
    return this.file.columns.findIndex((column) => column.name === name)
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

  /** The same as it is compared with others; null where there is none. */
  fence(column: number, row: number): Fence | null {
    const { as } = this.#stored(column)
    if (as !== 'text') {
      const value = this.value(column, row)
      return value === null ? null : typeof value === 'bigint' ? value : Buffer.from(String(value))
    }
    const unpacked = this.#column(column, row)
    const place = placeOf(unpacked, row % BLOCK_ROWS)
    return unpacked === undefined || place < 0
      ? null
      : this.#bytes(column, unpacked.halves[place * 2] as number)
  }

  #stored(column: number): StoredColumn {
    return this.file.columns[column] as StoredColumn
  }

  #column(column: number, row: number): UnpackedColumn | undefined {
    const number = Math.floor(row / BLOCK_ROWS)
    let block = this.#blocks.get(number)
    if (block === undefined) {
      block = this.file.block(number)
      this.#blocks.set(number, block)
    }
    return block(column)
  }

  #text(column: number, number: number): NonNullable<Value> {
    const { codec, column: declared } = this.#stored(column)
    const bytes = this.#bytes(column, number)
    return isPlain(declared.kind) ? bytes.toString() : codec.toValue(bytes.toString('latin1'))
  }

  #bytes(column: number, number: number): Buffer {
    const { firsts } = this.file.textParts(column)
    const part = firstPlace(firsts.length, (place) => (firsts[place] as number) > number) - 1
    const parts = this.#parts[column] ?? new Map<number, TextsOfPart>()
    this.#parts[column] = parts
    let texts = parts.get(part)
    if (texts === undefined) {
      texts = this.file.readTexts(column, part)
      parts.set(part, texts)
    }
    const own = number - (firsts[part] as number)
    return texts.bytes.subarray(texts.offsets[own], texts.offsets[own + 1])
  }
}

/** Kinds whose value is the text itself. */
const isPlain = (kind: string) => kind === 'text' || kind === 'uuid' || kind === 'json' || kind === 'object'

function placeOf(unpacked: UnpackedColumn | undefined, row: number): number {
  if (unpacked === undefined) return -1
  return unpacked.places === undefined ? row : (unpacked.places[row] as number)
}

function bigintAt(halves: Halves, place: number): bigint {
  const low = BigInt(halves[place * 2] as number)
  const high = halves[place * 2 + 1] as number
  return high === 0 ? low : (BigInt(high) << 32n) | low
}
