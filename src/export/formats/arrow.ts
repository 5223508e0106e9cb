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
import type { FlatColumn } from '../../derive/flat-columns.ts'
import { type FlatBatch, type FlatValue, type FlatValues, spread } from './flat-batch.ts'
import type { WriteFormat } from './format.ts'
import { withRoom } from './room.ts'
import { type ValueType, valueTypeOf } from './value-types.ts'

/** The mark at the end of an Arrow stream: a continuation and a length of 0. */
const END_BYTES = 8

/** An Arrow IPC stream: a schema, then a record batch for each batch of rows. */
export const writeArrow: WriteFormat = async function* (columns, batches) {
  const schema = new Schema(columns.map(fieldOf))
  const empty = streamOf(schema)
  const head = empty.subarray(0, -END_BYTES)
  yield head
  // A writer of its own for each batch gives its bytes at once; the schema before it and the end behind it are cut away.
  for await (const batch of batches)
    yield streamOf(schema, recordBatch(schema, columns, batch)).subarray(head.length, -END_BYTES)
  yield empty.subarray(-END_BYTES)
}

function streamOf(schema: Schema, batch?: RecordBatch): Uint8Array {
  const writer = new RecordBatchStreamWriter()
  writer.reset(undefined, schema)
  if (batch !== undefined) writer.write(batch)
  writer.finish()
  return writer.toUint8Array(true)
}

function recordBatch(schema: Schema, columns: readonly FlatColumn[], batch: FlatBatch): RecordBatch {
  const { rows: length } = batch
  const children = schema.fields.map(({ type }, index) => {
    const values = spread(batch.columns[index] as FlatValues, length)
    return arrowData(type, withRoom(columns[index] as FlatColumn, values))
  })
  return new RecordBatch(
    schema,
    makeData({ type: new Struct(schema.fields), length, nullCount: 0, children }),
  )
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

function arrowData(type: DataType, values: readonly FlatValue[]): Data {
  const { length } = values
  const nulls = bitsOf(values, (value) => value !== null)
  const valid = { length, nullCount: nulls.unset, nullBitmap: nulls.bits }
  if (DataType.isUtf8(type)) return makeData({ type, ...valid, ...textData(values) })
  if (DataType.isBool(type))
    return makeData({ type, ...valid, data: bitsOf(values, (value) => value === true).bits })
  if (DataType.isDecimal(type)) return makeData({ type, ...valid, data: wideIntegers(values) })
  if (DataType.isInt(type) && type.bitWidth === 32)
    return makeData({ type, ...valid, data: int32s(values) } as never)
  if (DataType.isDate(type)) return makeData({ type, ...valid, data: int32s(values) })
  return makeData({ type, ...valid, data: longs(values) } as never)
}

function bitsOf(values: readonly FlatValue[], isSet: (value: FlatValue) => boolean) {
  const bits = new Uint8Array((values.length + 7) >> 3)
  let unset = 0
  for (let index = 0; index < values.length; index += 1) {
    if (isSet(values[index] ?? null)) bits[index >> 3] = (bits[index >> 3] ?? 0) | (1 << (index & 7))
    else unset += 1
  }
  return { bits, unset }
}

function textData(values: readonly FlatValue[]) {
  const valueOffsets = new Int32Array(values.length + 1)
  let all = ''
  let bytes = 0
  let last: FlatValue = null
  let lastBytes = 0
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] as string | null
    if (value !== null) {
      all += value
      // Rows that follow each other often have the same text.
      if (value !== last) lastBytes = Buffer.byteLength(value)
      last = value
      bytes += lastBytes
    }
    valueOffsets[index + 1] = bytes
  }
  return { data: Buffer.from(all), valueOffsets }
}

const int32s = (values: readonly FlatValue[]) => Int32Array.from(values, (value) => (value ?? 0) as number)

/** Both kinds of 64 bits: what is written are the bits. */
const longs = (values: readonly FlatValue[]) => BigInt64Array.from(values, (value) => (value ?? 0n) as bigint)

/** 128 bits each, in two's complement, the low half first. */
function wideIntegers(values: readonly FlatValue[]): Uint32Array {
  const halves = new BigInt64Array(values.length * 2)
  for (const [index, value] of values.entries()) {
    halves[index * 2] = BigInt.asIntN(64, (value ?? 0n) as bigint)
    halves[index * 2 + 1] = ((value ?? 0n) as bigint) >> 64n
  }
  return new Uint32Array(halves.buffer)
}
