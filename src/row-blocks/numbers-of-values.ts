import type { Value } from '../catalog/column.ts'
import { zigzag } from '../derive/column-codecs.ts'
import { Longs, Texts, type Vector, Wides } from '../derive/vector.ts'
import type { GatheredColumn } from './block-columns.ts'
import type { StoredColumn } from './stored-columns.ts'
import type { TextNumbers } from './text-numbers.ts'

/** Adds the value of a row to its column. */
export type AddValue = (row: number) => void

/** For values that come as machines hold them, no bigint is made. */
export function adderOf(
  stored: StoredColumn,
  values: Vector<Value>,
  to: GatheredColumn,
  texts: TextNumbers,
): AddValue {
  if (values instanceof Longs && stored.as === 'signed') return addSigned(values, to)
  if (values instanceof Wides && stored.as === 'unsigned') return addWides(values, to)
  if (values instanceof Texts && stored.as === 'text') return addTexts(values, to, texts)
  // Neighbours mostly have the same choice.
  let last: Value = null
  let [low, high] = [0, 0]
  return (row) => {
    const value = values.at(row) ?? null
    if (value === null) return to.addNull()
    if (value !== last) {
      const number = numberOf(stored, value, texts)
      ;[low, high] = [Number(number & 0xffffffffn), Number(number >> 32n)]
      last = value
    }
    to.add(low, high)
  }
}

function addSigned({ items, valid }: Longs, to: GatheredColumn): AddValue {
  const words = new Int32Array(items.buffer, items.byteOffset, items.length * 2)
  return (row) => {
    if (valid?.[row] === 0) return to.addNull()
    const [low, high] = [words[row * 2] as number, words[row * 2 + 1] as number]
    const sign = high >> 31
    to.add(((low << 1) ^ sign) >>> 0, (((high << 1) | (low >>> 31)) ^ sign) >>> 0)
  }
}

function addWides({ limbs, valid }: Wides, to: GatheredColumn): AddValue {
  const words = new Uint32Array(limbs.buffer, limbs.byteOffset, limbs.length >>> 1)
  return (row) => {
    if (valid?.[row] === 0) return to.addNull()
    to.add(words[row * 4] as number, words[row * 4 + 1] as number)
  }
}

function addTexts({ bytes, offsets, valid }: Texts, to: GatheredColumn, texts: TextNumbers): AddValue {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  let [first, end, number] = [-1, -1, 0]
  return (row) => {
    if (valid?.[row] === 0) return to.addNull()
    const [start, stop] = [offsets[row] as number, offsets[row + 1] as number]
    if (first < 0 || !areEqual(bytes, first, end, start, stop))
      number = texts.numberOf(all.toString('latin1', start, stop))
    ;[first, end] = [start, stop]
    to.add(number, 0)
  }
}

function areEqual(bytes: Uint8Array, first: number, end: number, start: number, stop: number): boolean {
  if (end - first !== stop - start) return false
  // Texts that differ mostly do so at their ends.
  for (let back = 1; back <= end - first; back += 1)
    if (bytes[end - back] !== bytes[stop - back]) return false
  return true
}

/** Below 2^64. */
function numberOf({ as, codec }: StoredColumn, value: NonNullable<Value>, texts: TextNumbers): bigint {
  if (as === 'signed') return zigzag(BigInt(value as bigint | number))
  const token = codec.toToken(value)
  if (as !== 'either') return typeof token === 'string' ? BigInt(texts.numberOf(token)) : token
  // One more bit says which of both it is; a number that leaves no room for it stands as its text.
  if (typeof token === 'bigint' && token < 2n ** 63n) return token * 2n
  return BigInt(texts.numberOf(typeof token === 'string' ? token : String(value))) * 2n + 1n
}
