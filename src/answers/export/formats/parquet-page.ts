import { Texts } from '../../../base/values/strings.ts'
import { byteAt, int32At, uint16At } from '../../../base/values/typed-at.ts'
import { LIMBS, type Valid, Wides } from '../../../base/values/vector.ts'
import type { Typed } from './typed.ts'

/** Bytes of a value in a page; INT64 drops the upper half of a wide integer. */
export type Width = 'bit' | 4 | 8 | 16 | 'text'

/** Content of a data page: definition levels, then the PLAIN values that are not null. */
export function pageContent(column: Typed, width: Width): Uint8Array {
  const levels = levelsOf(column.valid, column.length)
  const values = plainOf(column, width)
  const content = new Uint8Array(4 + levels.length + values.length)
  new DataView(content.buffer).setUint32(0, levels.length, true)
  content.set(levels, 4)
  content.set(values, 4 + levels.length)
  return content
}

/** The header of a data page, in the compact protocol of Thrift. Source: parquet.thrift, PageHeader. */
export function pageHeader(rows: number, bytes: number, compressed: number): Buffer {
  const field = (delta: number, value: number) => [(delta << 4) | I32, ...varint(value * 2)]
  const [plain, rle] = [0, 3]
  return Buffer.from([
    ...[...field(1, 0), ...field(1, bytes), ...field(1, compressed)],
    (2 << 4) | STRUCT,
    ...[...field(1, rows), ...field(1, plain), ...field(1, rle), ...field(1, rle)],
    ...[0, 0],
  ])
}

const [I32, STRUCT] = [5, 12]

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)]
}

/** 1 for each row with a value: as one run, or bit-packed. */
function levelsOf(valid: Valid, rows: number): Uint8Array {
  if (valid === undefined) return Uint8Array.from([...varint(rows << 1), 1])
  const bits = packed(valid)
  return Buffer.concat([Uint8Array.from(varint((bits.length << 1) | 1)), bits])
}

/** Packs one bit per byte, lowest first. */
export function packed(bytes: Uint8Array): Uint8Array {
  const bits = new Uint8Array((bytes.length + 7) >> 3)
  for (let index = 0; index < bytes.length; index += 1)
    bits[index >> 3] = byteAt(bits, index >> 3) | (byteAt(bytes, index) << (index & 7))
  return bits
}

function plainOf(values: Typed, width: Width): Uint8Array {
  if (values instanceof Texts) return plainTexts(values)
  const { valid } = values
  if (values instanceof Wides)
    return width === 16 ? highestFirst(values) : compactValid(values.limbs, LIMBS, LIMBS / 2, valid)
  const { buffer, byteOffset, byteLength, BYTES_PER_ELEMENT } = values.items
  const size = BYTES_PER_ELEMENT / 2
  const bytes = compactValid(new Uint16Array(buffer, byteOffset, byteLength / 2), size, size, valid)
  // A boolean is the lowest byte of an item.
  return width === 'bit' ? packed(bytes.filter((_, at) => at % BYTES_PER_ELEMENT === 0)) : bytes
}

/** Keeps the first `count` of every `size` limbs, without those of nulls. Returns their bytes. */
function compactValid(limbs: Uint16Array, size: number, count: number, valid: Valid): Uint8Array {
  if (valid === undefined && size === count)
    return new Uint8Array(limbs.buffer, limbs.byteOffset, limbs.byteLength)
  const compacted = new Uint16Array(limbs.length)
  let to = 0
  for (let from = 0, row = 0; from < limbs.length; from += size, row += 1) {
    if (valid?.[row] === 0) continue
    for (let limb = 0; limb < count; limb += 1) compacted[to + limb] = uint16At(limbs, from + limb)
    to += count
  }
  return new Uint8Array(compacted.buffer, 0, to * 2)
}

function highestFirst({ limbs, valid }: Wides): Uint8Array {
  const bytes = new Uint8Array(limbs.length * 2)
  let to = 0
  for (let row = 0; row * LIMBS < limbs.length; row += 1) {
    if (valid?.[row] === 0) continue
    for (let limbIndex = (row + 1) * LIMBS - 1; limbIndex >= row * LIMBS; limbIndex -= 1) {
      const limb = uint16At(limbs, limbIndex)
      bytes[to] = limb >>> 8
      bytes[to + 1] = limb
      to += 2
    }
  }
  return bytes.subarray(0, to)
}

/** Each text after its length. */
function plainTexts({ bytes, offsets, valid, length }: Texts): Uint8Array {
  const plain = new Uint8Array(length * 4 + (offsets.at(-1) ?? 0) - (offsets[0] ?? 0))
  const view = new DataView(plain.buffer)
  let to = 0
  for (let row = 0; row < length; row += 1) {
    if (valid?.[row] === 0) continue
    const [first, end] = [int32At(offsets, row), int32At(offsets, row + 1)]
    view.setUint32(to, end - first, true)
    to += 4
    for (let index = first; index < end; index += 1) plain[to + index - first] = byteAt(bytes, index)
    to += end - first
  }
  return plain.subarray(0, to)
}
