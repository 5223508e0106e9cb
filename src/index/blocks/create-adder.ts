import { packUnits } from '../../base/values/packed-decimal.ts'
import { Bytes, Texts } from '../../base/values/strings.ts'
import { int32At, uint32At } from '../../base/values/typed-at.ts'
import { Decimals, Integers, Longs, type Vector, Wides } from '../../base/values/vector.ts'
import { bigintOf, type Value } from '../../catalog/column.ts'
import type { ColumnBuffer } from './column-buffer.ts'
import { zigzag } from './column-codecs.ts'
import type { StoredColumn } from './stored-columns.ts'
import type { TextNumbers } from './text-numbers.ts'

/** Adds the values of rows `first` to `end`, without `end`, to a column. */
export type AddValues = (first: number, end: number) => void

/** Typed vectors are added without creating bigints. */
export function createAdder(
  stored: StoredColumn,
  values: Vector<Value>,
  to: ColumnBuffer,
  texts: TextNumbers,
): AddValues {
  if (values instanceof Longs && stored.as === 'signed') return addSigned(values, to)
  if (values instanceof Integers && stored.as === 'signed') return addIntegers(values, to)
  if (values instanceof Wides && stored.as === 'unsigned') return addWides(values, to)
  if ((values instanceof Texts || values instanceof Bytes) && stored.as === 'text')
    return addStrings(values, to, (bytes) => [texts.numberOf(bytes.toString('latin1')), 0])
  if (values instanceof Texts) {
    const numbers = new Map<string, Parts>()
    return addStrings(values, to, (bytes) => {
      const text = bytes.toString()
      const parts = numbers.get(text) ?? partsOf(numberOf(stored, text, texts))
      numbers.set(text, parts)
      return parts
    })
  }
  const addAny = (row: number) => {
    const value = values.at(row) ?? null
    if (value === null) to.addNull()
    else to.add(...partsOf(numberOf(stored, value, texts)))
  }
  if (values instanceof Decimals && stored.as === 'either') return addDecimals(values, to, addAny)
  return (first, end) => {
    for (let row = first; row < end; row += 1) addAny(row)
  }
}

/** A number of 64 bits. */
type Parts = readonly [low: number, high: number]

const partsOf = (number: bigint): Parts => [Number(number & 0xffffffffn), Number(number >> 32n)]

function addSigned({ items, valid }: Longs, to: ColumnBuffer): AddValues {
  const words = new Int32Array(items.buffer, items.byteOffset, items.length * 2)
  return (first, end) => {
    for (let row = first; row < end; row += 1) {
      const [low, high] = [int32At(words, row * 2), int32At(words, row * 2 + 1)]
      const sign = high >> 31
      if (valid?.[row] === 0) to.addNull()
      else to.add(((low << 1) ^ sign) >>> 0, (((high << 1) | (low >>> 31)) ^ sign) >>> 0)
    }
  }
}

function addIntegers({ items, valid }: Integers, to: ColumnBuffer): AddValues {
  return (first, end) => {
    for (let row = first; row < end; row += 1) {
      const item = int32At(items, row)
      if (valid?.[row] === 0) to.addNull()
      else to.add(((item << 1) ^ (item >> 31)) >>> 0, 0)
    }
  }
}

function addWides({ limbs, valid }: Wides, to: ColumnBuffer): AddValues {
  const words = new Uint32Array(limbs.buffer, limbs.byteOffset, limbs.length >>> 1)
  return (first, end) => {
    for (let row = first; row < end; row += 1)
      if (valid?.[row] === 0) to.addNull()
      else to.add(uint32At(words, row * 4), uint32At(words, row * 4 + 1))
  }
}

const WORD = 2 ** 32

function addDecimals({ units, scale }: Decimals, to: ColumnBuffer, addAny: (row: number) => void): AddValues {
  return (first, end) => {
    for (let row = first; row < end; row += 1) {
      // Twice the number is still an exact integer in a double.
      const twice = units.isNull(row) ? -1 : packUnits(units, row, scale) * 2
      if (twice < 0) addAny(row)
      else to.add(twice >>> 0, Math.floor(twice / WORD))
    }
  }
}

/** Adjacent rows mostly have equal texts, which are numbered once. */
function addStrings(
  { bytes, offsets, valid }: Texts | Bytes,
  to: ColumnBuffer,
  numberOfBytes: (text: Buffer) => Parts,
): AddValues {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  let [start, stop, low, high] = [-1, -1, 0, 0]
  return (first, end) => {
    for (let row = first; row < end; row += 1) {
      if (valid?.[row] === 0) {
        to.addNull()
        continue
      }
      const [ownStart, ownStop] = [int32At(offsets, row), int32At(offsets, row + 1)]
      if (start < 0 || !areEqual(bytes, start, stop, ownStart, ownStop))
        [low, high] = numberOfBytes(all.subarray(ownStart, ownStop))
      ;[start, stop] = [ownStart, ownStop]
      to.add(low, high)
    }
  }
}

function areEqual(bytes: Uint8Array, first: number, end: number, start: number, stop: number): boolean {
  if (end - first !== stop - start) return false
  // Different texts mostly differ near their ends.
  for (let back = 1; back <= end - first; back += 1)
    if (bytes[end - back] !== bytes[stop - back]) return false
  return true
}

/** Returns a number below 2^64. */
function numberOf({ as, codec }: StoredColumn, value: NonNullable<Value>, texts: TextNumbers): bigint {
  if (as === 'signed') return zigzag(typeof value === 'number' ? BigInt(value) : bigintOf(value))
  const token = codec.toToken(value)
  if (as !== 'either') return typeof token === 'string' ? BigInt(texts.numberOf(token)) : token
  // The lowest bit separates tokens from texts; a token of 64 bits is stored as text.
  if (typeof token === 'bigint' && token < 2n ** 63n) return token * 2n
  return BigInt(texts.numberOf(typeof token === 'string' ? token : String(value))) * 2n + 1n
}
