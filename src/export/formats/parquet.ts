import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import type { FlatColumn } from '../../derive/flat-columns.ts'
import { type FlatBatch, type FlatValue, spread } from './flat-batch.ts'
import type { WriteFormat } from './format.ts'
import { withRoom } from './room.ts'
import { type ValueType, valueTypeOf } from './value-types.ts'

type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number]

/** Rows of a row group: encoding one keeps the event loop, so they are few. */
const GROUP_ROWS = 4096

/** A Parquet file, compressed by Snappy, whose row groups are sent as soon as they are complete. */
export const writeParquet: WriteFormat = async function* (columns, batches) {
  const out = new ByteWriter()
  const elements = columns.map(elementOf)
  const schema = [{ name: 'root', num_children: columns.length }, ...elements]
  const kvMetadata = columns.map(({ name, doc }) => ({ key: `comment:${name}`, value: doc }))
  const writer = new ParquetWriter({ writer: out, schema, kvMetadata, createdBy: 'ledgerlake' })
  for await (const group of inGroups(columns.length, batches)) {
    writer.write({
      columnData: columns.map((column, index) => ({
        name: column.name,
        data: physical(column, group[index] ?? []),
        // Its writer would compare unsigned integers, and the bytes of decimals, in another order than they have.
        statistics: valueTypeOf(column).as !== 'uint64' && valueTypeOf(column).as !== 'decimal',
      })),
      rowGroupSize: GROUP_ROWS,
    })
    yield taken(out)
  }
  // Until here they were bytes, see `physical`; only the footer says what the bytes are.
  for (const element of elements) if (element.scale !== undefined) element.converted_type = 'DECIMAL'
  writer.finish()
  yield taken(out)
}

/** Decimals as their bytes, the highest first: its writer would take ten times as long to make them. */
function physical(column: FlatColumn, values: readonly FlatValue[]): unknown[] {
  const fitting = withRoom(column, values)
  if (valueTypeOf(column).as !== 'decimal') return [...fitting]
  const bytes = Buffer.alloc(fitting.length * 16)
  return fitting.map((value, index) => {
    if (value === null) return null
    bytes.writeBigInt64BE((value as bigint) >> 64n, index * 16)
    bytes.writeBigUInt64BE(BigInt.asUintN(64, value as bigint), index * 16 + 8)
    return bytes.subarray(index * 16, index * 16 + 16)
  })
}

/** The bytes written since the last time. */
function taken(out: ByteWriter): Uint8Array {
  const bytes = new Uint8Array(out.getBuffer())
  out.index = 0
  return bytes
}

/** The values of each column, in groups of `GROUP_ROWS` rows; the last one may be smaller. */
async function* inGroups(width: number, batches: AsyncIterable<FlatBatch>): AsyncGenerator<FlatValue[][]> {
  const blank = () => Array.from({ length: width }, (): FlatValue[] => [])
  let group = blank()
  for await (const batch of batches) {
    const { rows } = batch
    const columns = batch.columns.map((values) => spread(values, rows))
    for (let from = 0; from < rows; ) {
      const room = GROUP_ROWS - (group[0]?.length ?? 0)
      const to = Math.min(rows, from + room)
      for (const [index, values] of group.entries())
        for (const value of columns[index]?.slice(from, to) ?? []) values.push(value)
      from = to
      if (group[0]?.length === GROUP_ROWS) {
        yield group
        group = blank()
      }
    }
  }
  if ((group[0]?.length ?? 0) > 0) yield group
}

function elementOf(column: FlatColumn): SchemaElement {
  return { name: column.name, repetition_type: 'OPTIONAL', ...physicalType(valueTypeOf(column)) }
}

function physicalType(type: ValueType): Partial<SchemaElement> {
  switch (type.as) {
    case 'text':
      return { type: 'BYTE_ARRAY', converted_type: 'UTF8' }
    case 'boolean':
      return { type: 'BOOLEAN' }
    case 'int32':
      return { type: 'INT32' }
    case 'int64':
      return { type: 'INT64' }
    case 'uint64':
      return { type: 'INT64', converted_type: 'UINT_64' }
    case 'timestamp':
      return { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' } }
    case 'date':
      return { type: 'INT32', converted_type: 'DATE' }
    default:
      return {
        type: 'FIXED_LEN_BYTE_ARRAY',
        type_length: 16,
        scale: type.scale,
        precision: 38,
      }
  }
}
