import { itemAt } from '../../../base/values/item-at.ts'
import { Texts } from '../../../base/values/strings.ts'
import { int32At } from '../../../base/values/typed-at.ts'
import { Constant, Integers, Longs, type Valid, Wides } from '../../../base/values/vector.ts'
import type { FlatColumn } from '../../../catalog/records/flat-columns.ts'
import type { FlatBatch, FlatValues } from './flat-batch.ts'
import { repeatValue, type Typed, typed } from './typed.ts'
import { type ValueType, valueTypeOf } from './value-types.ts'

const BATCH_ROWS = 2048

/**
 * Re-batches rows to one size. Batch sizes depend on the access path, and page-based formats would otherwise write
 * different bytes.
 */
export async function* evenBatches(
  columns: readonly FlatColumn[],
  batches: AsyncIterable<FlatBatch>,
): AsyncGenerator<FlatBatch> {
  const types = columns.map(valueTypeOf)
  let parts: FlatBatch[] = []
  let length = 0
  for await (const batch of batches) {
    for (let first = 0; first < batch.rows; ) {
      const end = Math.min(batch.rows, first + BATCH_ROWS - length)
      parts.push(cut(batch, first, end))
      length += end - first
      first = end
      if (length < BATCH_ROWS) continue
      yield join(types, parts, length)
      parts = []
      length = 0
    }
  }
  if (length > 0) yield join(types, parts, length)
}

/** Rows `first` up to but not including `end`. */
function cut({ columns }: FlatBatch, first: number, end: number): FlatBatch {
  const parts = columns.map((values) => (values instanceof Constant ? values : values.slice(first, end)))
  return { rows: end - first, columns: parts }
}

function join(types: readonly ValueType[], parts: readonly FlatBatch[], rows: number): FlatBatch {
  return { rows, columns: types.map((type, column) => joinColumn(type, parts, column, rows)) }
}

/** A shared value stays shared; other columns become typed arrays. */
function joinColumn(type: ValueType, parts: readonly FlatBatch[], column: number, rows: number): FlatValues {
  const values = parts.map(({ columns }) => itemAt(columns, column))
  const [first] = values
  if (
    first instanceof Constant &&
    values.every((vector) => vector instanceof Constant && vector.value === first.value)
  )
    return first
  const pieces = values.map((vector, index) => typedOf(type, vector, parts[index]?.rows ?? 0))
  return joinTyped(pieces, validOf(pieces, rows))
}

function typedOf(type: ValueType, values: FlatValues, rows: number): Typed {
  return values instanceof Constant ? repeatValue(type, values.value, rows) : typed(type, values)
}

/** Returns undefined if all rows have a value. */
function validOf(parts: readonly Typed[], rows: number): Valid {
  if (parts.every(({ valid }) => valid === undefined)) return undefined
  const valid = new Uint8Array(rows).fill(1)
  let at = 0
  for (const part of parts) {
    if (part.valid !== undefined) valid.set(part.valid, at)
    at += part.length
  }
  return valid.includes(0) ? valid : undefined
}

/** All parts have the class of the type. */
function joinTyped(parts: readonly Typed[], valid: Valid): Typed {
  const [first] = parts
  if (first instanceof Texts)
    return joinTexts(
      parts.filter((part) => part instanceof Texts),
      valid,
    )
  const items = parts.flatMap((part) =>
    part instanceof Texts ? [] : [part instanceof Wides ? part.limbs : part.items],
  )
  const length = lengthOf(items)
  if (first instanceof Wides) return new Wides(joinItems(items, new Uint16Array(length)), valid)
  return first instanceof Longs
    ? new Longs(joinItems(items, new BigInt64Array(length)), valid)
    : new Integers(joinItems(items, new Int32Array(length)), valid)
}

function lengthOf(parts: readonly { readonly length: number }[]): number {
  return parts.reduce((sum, { length }) => sum + length, 0)
}

function joinItems<T extends Int32Array | BigInt64Array | Uint16Array>(
  parts: readonly (Int32Array | BigInt64Array | Uint16Array)[],
  source: T,
): T {
  let at = 0
  for (const part of parts) {
    source.set(part as never, at)
    at += part.length
  }
  return source
}

function joinTexts(parts: readonly Texts[], valid: Valid): Texts {
  const bytes = Buffer.concat(parts.map((part) => part.bytes.subarray(part.offsets[0], part.offsets.at(-1))))
  const offsets = new Int32Array(lengthOf(parts) + 1)
  let [row, before] = [0, 0]
  for (const part of parts) {
    const first = part.offsets[0] ?? 0
    for (let item = 1; item < part.offsets.length; item += 1) {
      row += 1
      offsets[row] = before + int32At(part.offsets, item) - first
    }
    before = int32At(offsets, row)
  }
  return new Texts(bytes, offsets, valid)
}
