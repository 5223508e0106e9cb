import {
  DuckDBBigIntVector,
  DuckDBBlobVector,
  type DuckDBDataChunk,
  DuckDBDecimal128Vector,
  DuckDBIntegerVector,
  DuckDBTimestampTZVector,
  DuckDBVarCharVector,
} from '@duckdb/node-api'
import { Bytes, Texts } from '../../base/values/strings.ts'
import { byteAt, int32At, uint32At } from '../../base/values/typed-at.ts'
import { Decimals, Integers, Longs, type Valid, type Vector, Wides } from '../../base/values/vector.ts'
import type { Value } from '../../catalog/column.ts'
import { columnOfChunk } from './rows-of-result.ts'

type Raw = ConstructorParameters<typeof DuckDBBlobVector>

/** Contents of vectors, which mostly have no public types. */
interface VectorInternals {
  readonly items: unknown
  readonly dataView: Raw[0]
  readonly validity: Raw[1]
  readonly vector: Raw[2]
}

export function columnsOfChunk(
  chunk: DuckDBDataChunk,
  names: readonly string[],
): Readonly<Record<string, Vector<Value>>> {
  return Object.fromEntries(names.map((name, column) => [name, vectorOfChunk(chunk, column)]))
}

/** Copies a column of a chunk, with zeros for nulls, where the engine leaves uninitialized memory. */
export function vectorOfChunk(chunk: DuckDBDataChunk, column: number): Vector<Value> {
  const vector = chunk.getColumnVector(column)
  const internals = vector as unknown as VectorInternals
  const { rowCount: rows } = chunk
  if (vector instanceof DuckDBDecimal128Vector) {
    const units = widesOf(internals, validOf(internals, rows), rows)
    return vector.type.scale === 0 ? units : new Decimals(units, vector.type.scale)
  }
  if (vector instanceof DuckDBVarCharVector || vector instanceof DuckDBBlobVector) {
    const valid = validOf(internals, rows)
    const { bytes, offsets } = stringsOf(internals, valid, rows)
    return vector instanceof DuckDBBlobVector
      ? new Bytes(bytes, offsets, valid)
      : new Texts(bytes, offsets, valid)
  }
  if (vector instanceof DuckDBIntegerVector) {
    const [items, valid] = [
      (internals.items as Int32Array<ArrayBuffer>).slice(0, rows),
      validOf(internals, rows),
    ]
    return new Integers(clearNulls(items, valid, 1), valid)
  }
  if (vector instanceof DuckDBBigIntVector || vector instanceof DuckDBTimestampTZVector) {
    const [items, valid] = [
      (internals.items as BigInt64Array<ArrayBuffer>).slice(0, rows),
      validOf(internals, rows),
    ]
    clearNulls(new Int32Array(items.buffer), valid, 2)
    return new Longs(items, valid)
  }
  return columnOfChunk(chunk, column)
}

function validOf({ validity }: VectorInternals, rows: number): Valid {
  const { data: bits } = validity as unknown as { readonly data: BigUint64Array | null }
  if (bits === null) return undefined
  const bytes = new Uint8Array(bits.buffer, bits.byteOffset)
  const valid = new Uint8Array(rows)
  let isAllValid = 1
  for (let row = 0; row < rows; row += 1) {
    const bit = (byteAt(bytes, row >> 3) >> (row & 7)) & 1
    valid[row] = bit
    isAllValid &= bit
  }
  return isAllValid === 1 ? undefined : valid
}

function widesOf({ dataView }: VectorInternals, valid: Valid, rows: number): Wides {
  const words = new Int32Array(dataView.buffer, dataView.byteOffset, rows * 4).slice()
  return new Wides(new Uint16Array(clearNulls(words, valid, 4).buffer), valid)
}

/** Zeroes the 32-bit words of nulls, `size` per row. */
function clearNulls(words: Int32Array<ArrayBuffer>, valid: Valid, size: number): Int32Array<ArrayBuffer> {
  if (valid === undefined) return words
  for (let row = 0; row < valid.length; row += 1)
    if (valid[row] === 0) for (let word = row * size; word < (row + 1) * size; word += 1) words[word] = 0
  return words
}

/** Longer texts and blobs are stored by address, shorter ones inline. */
const LONGEST_INLINE = 12

const isThere = { itemValid: () => true } as unknown as Raw[1]

function stringsOf(
  { dataView, vector }: VectorInternals,
  valid: Valid,
  rows: number,
): Pick<Bytes, 'bytes' | 'offsets'> {
  // Four words each: a length, then the text, or its prefix and address.
  const words = new Uint32Array(dataView.buffer, dataView.byteOffset, rows * 4)
  const inline = new Uint8Array(dataView.buffer, dataView.byteOffset, rows * 16)
  const lengthOf = (row: number) => (valid?.[row] === 0 ? 0 : uint32At(words, row * 4))
  const offsets = new Int32Array(rows + 1)
  for (let row = 0; row < rows; row += 1) offsets[row + 1] = int32At(offsets, row) + lengthOf(row)
  const bytes = new Uint8Array(int32At(offsets, rows))
  const buffer = new DataView(new ArrayBuffer(16))
  const asBlob = new DuckDBBlobVector(buffer, isThere, vector, 0, 1)
  for (let row = 0; row < rows; ) {
    const first = row
    const to = int32At(offsets, first)
    let length = lengthOf(row)
    row += 1
    if (length <= LONGEST_INLINE) {
      bytes.set(inline.subarray(first * 16 + 4, first * 16 + 4 + length), to)
      continue
    }
    // Consecutive long texts are mostly adjacent, so one call copies them.
    const [low, high] = [uint32At(words, first * 4 + 2), uint32At(words, first * 4 + 3)]
    while (
      row < rows &&
      lengthOf(row) > LONGEST_INLINE &&
      words[row * 4 + 2] === low + length &&
      words[row * 4 + 3] === high
    ) {
      length += lengthOf(row)
      row += 1
    }
    buffer.setUint32(0, length, true)
    buffer.setUint32(8, low, true)
    buffer.setUint32(12, high, true)
    bytes.set(asBlob.getItemBytes(0) ?? [], to)
    // Rows with the same dictionary entry have the same address.
    while (
      row < rows &&
      lengthOf(row) === length &&
      words[row * 4 + 2] === low &&
      words[row * 4 + 3] === high
    ) {
      bytes.copyWithin(int32At(offsets, row), to, to + length)
      row += 1
    }
  }
  return { bytes, offsets }
}
