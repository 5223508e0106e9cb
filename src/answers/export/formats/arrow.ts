import {
  Bool,
  type DataType,
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
import type { FlatColumn } from '../../../catalog/records/flat-columns.ts'
import { ArrowColumn } from './arrow-column.ts'
import type { WriteFormat } from './flat-batch.ts'
import { type ValueType, valueTypeOf } from './value-types.ts'

/** Batches of one size: the access path decides how many rows come at once, and must not change the bytes. */
const BATCH_ROWS = 8192

const PIECE_BYTES = 65_536

/** Writes an Arrow IPC stream: a schema, record batches, and the mark of its end. */
export const writeArrow: WriteFormat = async function* (columns, batches) {
  const schema = new Schema(columns.map(fieldOf))
  const type = new Struct(schema.fields)
  const arrowColumns = schema.fields.map((field, index) => {
    return new ArrowColumn(itemAt(columns, index), field.type, BATCH_ROWS)
  })
  const writer = new PieceWriter()
  writer.reset(undefined, schema)
  yield* writer.take()
  let length = 0
  const takeBatch = () => {
    const children = arrowColumns.map((column) => column.take())
    writer.write(new RecordBatch(schema, makeData({ type, length, nullCount: 0, children })))
    length = 0
    return writer.take()
  }
  for await (const batch of batches)
    for (let first = 0; first < batch.rows; ) {
      const end = Math.min(batch.rows, first + BATCH_ROWS - length)
      for (const [index, column] of arrowColumns.entries())
        column.append(itemAt(batch.columns, index), first, end)
      length += end - first
      first = end
      if (length === BATCH_ROWS) yield* takeBatch()
    }
  if (length > 0) yield* takeBatch()
  writer.finish()
  yield* writer.take()
}

/** Keeps what it writes until it is taken. The library would keep it until the end of the stream. */
export class PieceWriter extends RecordBatchStreamWriter {
  #parts: Uint8Array[] = []

  protected override _write(part: ArrayBufferView): this {
    this.#parts.push(new Uint8Array(part.buffer, part.byteOffset, part.byteLength))
    return this
  }

  /** Copies the bytes since the last call into pieces: columns use their memory again. */
  *take(): Generator<Uint8Array> {
    let [piece, at] = [Buffer.allocUnsafeSlow(PIECE_BYTES), 0]
    for (const part of this.#parts)
      for (let first = 0; first < part.length; ) {
        const end = Math.min(part.length, first + PIECE_BYTES - at)
        piece.set(part.subarray(first, end), at)
        at += end - first
        first = end
        if (at < PIECE_BYTES) continue
        yield piece
        piece = Buffer.allocUnsafeSlow(PIECE_BYTES)
        at = 0
      }
    this.#parts = []
    if (at > 0) yield piece.subarray(0, at)
  }
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
