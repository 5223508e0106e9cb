import { tmpdir } from 'node:os'
import { deserializeTCompactProtocol } from 'hyparquet/src/thrift.js'
import { ByteWriter } from 'hyparquet-writer'
import { serializeTCompactProtocol } from 'hyparquet-writer/src/thrift.js'
import { itemAt } from '../../../base/values/item-at.ts'
import { Constant } from '../../../base/values/vector.ts'
import type { FlatColumn } from '../../../catalog/records/flat-columns.ts'
import { flatParts } from '../../../engine/parquet/flat-parts.ts'
import type { WriteFormat } from './flat-batch.ts'
import { refuseWide, typed } from './typed.ts'
import { valueTypeOf } from './value-types.ts'

const MAGIC = Buffer.from('PAR1')
/** The length of the footer, and the magic. */
const TAIL_BYTES = 8

/** A footer, by the field numbers of Thrift. Source: parquet.thrift, FileMetaData. */
interface Footer {
  field_3: bigint
  readonly field_4: RowGroup[]
  readonly field_1: unknown
  readonly field_2: unknown
  readonly field_7?: unknown
}

interface RowGroup {
  readonly field_1: readonly { readonly field_3: Record<`field_${number}`, unknown> }[]
  field_5?: bigint
}

/** Writes rows that no data file has in this order. */
export const writeParquet: WriteFormat = (columns, batches, { scratchFolder = tmpdir(), keyValues }) =>
  joinParquet(columns, flatParts(columns, narrow(columns, batches), scratchFolder), keyValues)

/** Errors: see `refuseWide`. */
async function* narrow(columns: readonly FlatColumn[], batches: Parameters<WriteFormat>[1]) {
  for await (const batch of batches) {
    for (const [index, column] of columns.entries()) {
      const [type, values] = [valueTypeOf(column), itemAt(batch.columns, index)]
      if (type.as === 'uint64' && !(values instanceof Constant)) refuseWide(column, typed(type, values))
    }
    yield batch
  }
}

/** Joins Parquet files with the same columns, at least one, as one file with all row groups and these key-values. */
export async function* joinParquet(
  columns: readonly FlatColumn[],
  parts: AsyncIterable<Uint8Array>,
  keyValues: Readonly<Record<string, string>> = {},
): AsyncGenerator<Uint8Array> {
  let whole: Footer | undefined
  let offset = MAGIC.length
  for await (const part of parts) {
    const { rows, footer } = splitPart(part)
    for (const group of footer.field_4) move(group, BigInt(offset - MAGIC.length))
    yield whole === undefined ? part.subarray(0, MAGIC.length + rows.length) : rows
    offset += rows.length
    whole?.field_4.push(...footer.field_4)
    if (whole !== undefined) whole.field_3 += footer.field_3
    whole ??= footer
  }
  if (whole === undefined) throw new Error('a Parquet file needs a part')
  yield footerBytes(whole, columns, keyValues)
}

function splitPart(part: Uint8Array): { readonly rows: Uint8Array; readonly footer: Footer } {
  const { buffer, byteOffset, length } = part
  const end = length - TAIL_BYTES
  const first = end - new DataView(buffer, byteOffset).getUint32(end, true)
  // A copy, since its texts would keep the whole part in memory.
  const bytes = part.slice(first, end)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const footer = deserializeTCompactProtocol({ view, offset: 0 }) as unknown as Footer
  return { rows: part.subarray(MAGIC.length, first), footer }
}

/** Moves a row group and the pages of its columns. */
function move(group: RowGroup, by: bigint): void {
  if (group.field_5 !== undefined) group.field_5 += by
  for (const { field_3: column } of group.field_1)
    for (const field of ['field_9', 'field_11'] as const)
      if (typeof column[field] === 'bigint') column[field] += by
}

function footerBytes(
  footer: Footer,
  columns: readonly FlatColumn[],
  keyValues: Readonly<Record<string, string>>,
): Uint8Array {
  const out = new ByteWriter()
  const comments = columns.map(({ name, doc }) => [`comment:${name}`, doc] as const)
  const pairs = [...comments, ...Object.entries(keyValues)]
  const { field_1, field_2, field_3, field_4, field_7 } = footer
  const before = { field_1, field_2, field_3, field_4, field_5: pairs.map(toPair), field_6: 'ledgerlake' }
  serializeTCompactProtocol(out, { ...before, field_7 })
  out.appendUint32(out.offset)
  out.appendBytes(MAGIC)
  return new Uint8Array(out.getBuffer())
}

const toPair = ([key, value]: readonly [string, string]) => ({ field_1: key, field_2: value })
