import { Texts } from '../../../base/values/strings.ts'
import { int32At } from '../../../base/values/typed-at.ts'
import { type Constant, Integers, Longs, type Valid } from '../../../base/values/vector.ts'
import { MOST_DIGITS, writeDigits } from './digits.ts'
import { type Escapes, escaped } from './escapes.ts'
import type { FlatValue, FlatValues } from './flat-batch.ts'
import { textOf } from './text-of.ts'
import { type Typed, typed } from './typed.ts'
import type { ValueType } from './value-types.ts'

const QUOTE = 0x22
const [POINT, COMMA] = [0x2e, 0x2c]

export interface PenStyle {
  /** Text for a null. */
  readonly none: string
  readonly isQuoted: boolean
  readonly escapes: Escapes
  /** A point unless given. */
  readonly decimalMark?: '.' | ',' | undefined
}

/** Writes the values of a column into lines. One class for all types keeps the call monomorphic. */
export class Pen {
  /** Upper bound of the bytes of a value. */
  readonly most: number
  /** Quotes that stand around all values. */
  readonly around: '"' | ''
  readonly #valid: Valid
  readonly #none: Int32Array
  readonly #noneBytes: number
  readonly #isQuoted: boolean
  readonly #offsets: Int32Array | undefined
  readonly #texts: DataView
  readonly #words: Uint32Array | undefined
  readonly #size: number
  readonly #scale: number
  readonly #least: 0 | 1
  readonly #hasComma: boolean
  readonly #asText: (row: number) => string

  constructor(
    type: ValueType,
    values: Exclude<FlatValues, Constant<FlatValue>>,
    { none, isQuoted, escapes, decimalMark }: PenStyle,
  ) {
    const vector = typed(type, values)
    const texts = vector instanceof Texts ? escaped(vector, escapes) : undefined
    this.#valid = vector.valid
    this.#none = wordsOf(none)
    this.#noneBytes = none.length
    this.around = isQuoted && vector.valid === undefined ? '"' : ''
    this.#isQuoted = isQuoted && this.around === ''
    this.#offsets = texts?.offsets
    this.#texts = texts === undefined ? noBytes : paddedView(texts)
    this.#words = digitWordsOf(type, vector)
    this.#size = (this.#words?.length ?? 0) / vector.length
    this.#scale = type.as === 'decimal' ? type.scale : 0
    this.#least = type.as === 'decimal' && type.inJson === 'text' ? 1 : 0
    this.#hasComma = decimalMark === ',' && type.as === 'decimal'
    const text = textOf(type)
    this.#asText = (row) => text(type.as === 'boolean' ? vector.at(row) === 1 : (vector.at(row) ?? 0))
    this.most = 2 + Math.max(none.length, texts === undefined ? MOST_DIGITS : longestOf(texts))
  }

  /** Writes the value of a row, if any, and returns the offset behind it. */
  write(out: DataView, at: number, row: number): number {
    if (this.#valid !== undefined && this.#valid[row] === 0)
      return copyWords(this.#none, this.#noneBytes, out, at)
    if (!this.#isQuoted) return this.#marked(out, at, row)
    out.setUint8(at, QUOTE)
    const end = this.#marked(out, at + 1, row)
    out.setUint8(end, QUOTE)
    return end + 1
  }

  /** Writes a value, with a comma for its point where the style has one. */
  #marked(out: DataView, at: number, row: number): number {
    const end = this.#value(out, at, row)
    if (this.#hasComma)
      for (let index = at; index < end; index += 1)
        if (out.getUint8(index) === POINT) out.setUint8(index, COMMA)
    return end
  }

  #value(out: DataView, at: number, row: number): number {
    if (this.#offsets !== undefined) {
      const end = int32At(this.#offsets, row + 1)
      let to = at
      let from = int32At(this.#offsets, row)
      for (; from < end; from += 4) {
        out.setInt32(to, this.#texts.getInt32(from, true), true)
        to += 4
      }
      return to - (from - end)
    }
    const start = row * this.#size
    // Negative values are rare.
    if (this.#words !== undefined && ((this.#words[start + this.#size - 1] ?? 0) | 0) >= 0)
      return writeDigits(out, at, this.#words, start, this.#size, this.#scale, this.#least)
    const text = this.#asText(row)
    for (let index = 0; index < text.length; index += 1) out.setUint8(at + index, text.charCodeAt(index))
    return at + text.length
  }
}

const noBytes = new DataView(new ArrayBuffer(0))

/** The UTF-8 of a text, padded to words of 32 bits. */
export function wordsOf(text: string): Int32Array {
  const words = new Int32Array((Buffer.byteLength(text) + 3) >> 2)
  Buffer.from(words.buffer).write(text)
  return words
}

/** Copies bytes by whole words and returns the offset behind them; up to three bytes more are overwritten. */
export function copyWords(words: Int32Array, bytes: number, out: DataView, at: number): number {
  let to = at
  for (let word = 0; word < words.length; word += 1) {
    out.setInt32(to, int32At(words, word), true)
    to += 4
  }
  return at + bytes
}

/** The bytes of texts, behind which three more can be read. */
function paddedView({ bytes, offsets }: Texts): DataView {
  const length = int32At(offsets, offsets.length - 1) + 3
  const { buffer, byteOffset } = bytes
  if (byteOffset + length <= buffer.byteLength) return new DataView(buffer, byteOffset, length)
  const padded = new Uint8Array(length)
  padded.set(bytes.subarray(0, length - 3))
  return new DataView(padded.buffer)
}

function longestOf({ offsets }: Texts): number {
  let longest = 0
  for (let row = 1; row < offsets.length; row += 1)
    longest = Math.max(longest, int32At(offsets, row) - int32At(offsets, row - 1))
  return longest
}

/** Words of 32 bits of values that are written as digits. */
function digitWordsOf({ as }: ValueType, vector: Typed): Uint32Array | undefined {
  if (vector instanceof Texts || as === 'boolean' || as === 'date' || as === 'timestamp') return undefined
  const { buffer, byteOffset, byteLength } =
    vector instanceof Integers || vector instanceof Longs ? vector.items : vector.limbs
  return new Uint32Array(buffer, byteOffset, byteLength / 4)
}
