import { Texts } from '../../../base/values/strings.ts'
import { byteAt, int32At, uint16At } from '../../../base/values/typed-at.ts'
import { type Constant, Longs, type Valid, Wides } from '../../../base/values/vector.ts'
import { MOST_DIGITS, writeDigits } from './digits.ts'
import type { FlatValue, FlatValues } from './flat-batch.ts'
import { textOf } from './text-of.ts'
import { type Typed, textsOf, typed } from './typed.ts'
import type { ValueType } from './value-types.ts'

const QUOTE = 0x22

export interface PenStyle {
  /** Text for a null. */
  readonly none: string
  readonly isQuoted: boolean
  readonly escapes: Escapes
}

/** Texts that need escaping. */
export interface Escapes {
  /** 1 for each byte that must be escaped. */
  readonly bytes: Uint8Array
  readonly isForEmpty: boolean
  readonly write: (text: string) => string
}

/** Writes the values of a column into lines. One class for all types keeps the call monomorphic. */
export class Pen {
  /** Upper bound of the bytes of a value, except texts. */
  readonly most: number
  readonly textBytes: number
  readonly #valid: Valid
  readonly #none: Uint8Array
  readonly #isQuoted: boolean
  readonly #texts: Texts | undefined
  readonly #limbs: Uint16Array | undefined
  readonly #size: number
  readonly #scale: number
  readonly #least: 0 | 1
  readonly #asText: (row: number) => string

  constructor(type: ValueType, values: Exclude<FlatValues, Constant<FlatValue>>, style: PenStyle) {
    const vector = typed(type, values)
    this.#valid = vector.valid
    this.#none = bytesOf(style.none)
    this.#isQuoted = style.isQuoted
    this.#texts = vector instanceof Texts ? escaped(vector, style.escapes) : undefined
    this.#limbs = limbsOf(type, vector)
    this.#size = (this.#limbs?.length ?? 0) / vector.length
    this.#scale = type.as === 'decimal' ? type.scale : 0
    this.#least = type.as === 'decimal' && type.inJson === 'text' ? 1 : 0
    const text = textOf(type)
    this.#asText = (row) => text(type.as === 'boolean' ? vector.at(row) === 1 : (vector.at(row) ?? 0))
    const { offsets } = this.#texts ?? {}
    this.textBytes = (offsets?.at(-1) ?? 0) - (offsets?.[0] ?? 0)
    this.most = Math.max(this.#none.length, MOST_DIGITS)
  }

  /** Writes the value of a row, if any, and returns the offset behind it. */
  write(out: Buffer, at: number, row: number): number {
    if (this.#valid !== undefined && this.#valid[row] === 0) return copyBytes(this.#none, out, at)
    if (!this.#isQuoted) return this.#value(out, at, row)
    out[at] = QUOTE
    const end = this.#value(out, at + 1, row)
    out[end] = QUOTE
    return end + 1
  }

  #value(out: Buffer, at: number, row: number): number {
    if (this.#texts !== undefined) {
      const { bytes, offsets } = this.#texts
      let to = at
      const end = int32At(offsets, row + 1)
      for (let from = int32At(offsets, row); from < end; from += 1) {
        out[to] = byteAt(bytes, from)
        to += 1
      }
      return to
    }
    const start = row * this.#size
    // Negative values are rare.
    if (this.#limbs !== undefined && uint16At(this.#limbs, start + this.#size - 1) < 0x8000)
      return writeDigits(out, at, this.#limbs, start, this.#size, this.#scale, this.#least)
    return at + out.write(this.#asText(row), at, 'latin1')
  }
}

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** Copies bytes and returns the offset behind them. For few bytes a loop is faster than `set`. */
export function copyBytes(bytes: Uint8Array, out: Uint8Array, at: number): number {
  if (bytes.length > 48) out.set(bytes, at)
  else for (let index = 0; index < bytes.length; index += 1) out[at + index] = byteAt(bytes, index)
  return at + bytes.length
}

/** Limbs of 16 bits of values that are written as digits. */
function limbsOf(type: ValueType, vector: Typed): Uint16Array | undefined {
  if (vector instanceof Wides) return vector.limbs
  if (!(vector instanceof Longs) || type.as === 'timestamp') return undefined
  const { buffer, byteOffset, byteLength } = vector.items
  return new Uint16Array(buffer, byteOffset, byteLength / 2)
}

function escaped(texts: Texts, { bytes, isForEmpty, write }: Escapes): Texts {
  if (!hasAny(texts, bytes) && !(isForEmpty && hasEmpty(texts))) return texts
  const rowTexts = Array.from({ length: texts.length }, (_, row) => texts.at(row))
  return textsOf(rowTexts.map((text) => (text === null ? null : write(text))))
}

function hasAny({ bytes, offsets }: Texts, pattern: Uint8Array): boolean {
  const end = offsets.at(-1) ?? 0
  for (let index = offsets[0] ?? 0; index < end; index += 1)
    if (pattern[byteAt(bytes, index)] === 1) return true
  return false
}

function hasEmpty({ offsets, valid }: Texts): boolean {
  for (let row = 0; row + 1 < offsets.length; row += 1)
    if (offsets[row] === offsets[row + 1] && valid?.[row] !== 0) return true
  return false
}
