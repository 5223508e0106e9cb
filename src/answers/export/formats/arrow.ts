import {
  Bool,
  type Data,
  DataType,
  DateDay,
  Decimal,
  Field,
  Int32,
  Int64,
  makeData,
  RecordBatch,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  TimestampMicrosecond,
  Uint64,
  Utf8,
} from 'apache-arrow'
import { itemAt } from '../../../base/values/item-at.ts'
import { Texts } from '../../../base/values/strings.ts'
import { uint32At } from '../../../base/values/typed-at.ts'
import { Constant, Longs, Wides } from '../../../base/values/vector.ts'
import type { FlatColumn } from '../../../catalog/records/flat-columns.ts'
import { evenBatches } from './even-batches.ts'
import type { FlatBatch, FlatValue, FlatValues, WriteFormat } from './flat-batch.ts'
import { packed } from './parquet-page.ts'
import { refuseWide, repeatValue, type Typed, typed } from './typed.ts'
import { type ValueType, valueTypeOf } from './value-types.ts'

/** The mark at the end of an Arrow stream: a continuation and a length of 0. */
const END_BYTES = 8

/** Writes an Arrow IPC stream: a schema, then one record batch per batch of rows. */
export const writeArrow: WriteFormat = async function* (columns, batches) {
  const schema = new Schema(columns.map(fieldOf))
  const dataOf = schema.fields.map(({ type }, index) => toData(itemAt(columns, index), type))
  const empty = streamOf(schema)
  const head = empty.subarray(0, -END_BYTES)
  yield head
  // A writer per batch returns its bytes at once; the repeated schema and end mark are cut off.
  for await (const batch of evenBatches(columns, batches))
    yield streamOf(schema, recordBatch(schema, dataOf, batch)).subarray(head.length, -END_BYTES)
  yield empty.subarray(-END_BYTES)
}

function streamOf(schema: Schema, batch?: RecordBatch): Uint8Array {
  const writer = new RecordBatchStreamWriter()
  writer.reset(undefined, schema)
  if (batch !== undefined) writer.write(batch)
  writer.finish()
  return writer.toUint8Array(true)
}

function recordBatch(schema: Schema, dataOf: readonly ToData[], { rows, columns }: FlatBatch): RecordBatch {
  const children = dataOf.map((data, index) => data(itemAt(columns, index), rows))
  const type = new Struct(schema.fields)
  return new RecordBatch(schema, makeData({ type, length: rows, nullCount: 0, children }))
}

function fieldOf(column: FlatColumn): Field {
  const { name, doc, unit } = column
  const metadata = new Map([['comment', doc], ...(unit === undefined ? [] : [['unit', unit] as const])])
  return new Field(name, arrowType(valueTypeOf(column)), true, metadata)
}

function arrowType(type: ValueType): DataType {
  switch (type.as) {
    case 'text':
      return new Utf8()
    case 'boolean':
      return new Bool()
    case 'int32':
      return new Int32()
    case 'int64':
      return new Int64()
    case 'uint64':
      return new Uint64()
    case 'timestamp':
      return new TimestampMicrosecond('UTC')
    case 'date':
      return new DateDay()
    default:
      return new Decimal(type.scale, 38, 128)
  }
}

type ToData = (values: FlatValues, rows: number) => Data

function toData(column: FlatColumn, type: DataType): ToData {
  const valueType = valueTypeOf(column)
  // A shared value mostly equals that of the previous batch.
  let [last, lastData]: [FlatValue?, Data?] = []
  return (values, rows) => {
    if (!(values instanceof Constant)) return dataOf(column, type, typed(valueType, values))
    const { value } = values
    if (lastData === undefined || value !== last || lastData.length !== rows)
      lastData = dataOf(column, type, repeatValue(valueType, value, rows))
    last = value
    return lastData
  }
}

function dataOf(column: FlatColumn, type: DataType, values: Typed): Data {
  const data = { type, length: values.length, ...validity(values) }
  if (values instanceof Texts) return makeData({ ...data, type: new Utf8(), ...textData(values) })
  if (values instanceof Longs) return makeData({ ...data, data: values.items } as never)
  if (values instanceof Wides) {
    const items = DataType.isDecimal(type) ? wordsOf(values) : longsOf(column, values)
    return makeData({ ...data, data: items } as never)
  }
  const items = DataType.isBool(type) ? packed(Uint8Array.from(values.items)) : values.items
  return makeData({ ...data, data: items } as never)
}

function validity({ valid }: Typed) {
  if (valid === undefined) return { nullCount: 0 }
  let nullCount = 0
  for (const bit of valid) nullCount += 1 - bit
  return { nullCount, nullBitmap: packed(valid) }
}

function textData({ bytes, offsets }: Texts) {
  const first = offsets[0] ?? 0
  const valueOffsets = first === 0 ? offsets : offsets.map((offset) => offset - first)
  return { data: bytes.subarray(first, offsets.at(-1)), valueOffsets }
}

function wordsOf({ limbs: { buffer, byteOffset, byteLength } }: Wides): Uint32Array {
  return new Uint32Array(buffer, byteOffset, byteLength / 4)
}

/** The lower halves. Errors: see `refuseWide`. */
function longsOf(column: FlatColumn, wides: Wides): Uint32Array {
  refuseWide(column, wides)
  const words = wordsOf(wides)
  const items = new Uint32Array(wides.length * 2)
  for (let from = 0, to = 0; from < words.length; from += 4, to += 2) {
    items[to] = uint32At(words, from)
    items[to + 1] = uint32At(words, from + 1)
  }
  return items
}
