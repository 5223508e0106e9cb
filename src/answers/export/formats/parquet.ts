import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { itemAt } from '../../../base/values/item-at.ts'
import { Constant } from '../../../base/values/vector.ts'
import type { FlatColumn } from '../../../catalog/records/flat-columns.ts'
import { evenBatches } from './even-batches.ts'
import type { FlatValue, FlatValues, WriteFormat } from './flat-batch.ts'
import { pageContent, pageHeader, type Width } from './parquet-page.ts'
import { refuseWide, repeatValue, type Typed, typed } from './typed.ts'
import { type ValueType, valueTypeOf } from './value-types.ts'

type Writer = ParquetWriter
type SchemaElement = Writer['schema'][number]

/** Rows of a complete row group, which is held compressed until then. */
const GROUP_ROWS = 16_384

/**
 * Writes a Parquet file with Snappy, one row group at a time. The library reads values one by one, so this code
 * encodes pages from columns and the library writes the metadata only.
 */
export const writeParquet: WriteFormat = async function* (columns, batches) {
  const out = new ByteWriter()
  const schema = [{ name: 'root', num_children: columns.length }, ...columns.map(elementOf)]
  const kvMetadata = columns.map(({ name, doc }) => ({ key: `comment:${name}`, value: doc }))
  const writer = new ParquetWriter({ writer: out, schema, kvMetadata, createdBy: 'ledgerlake' })
  const chunks = columns.map((column) => new Chunk(column, writer))
  let rows = 0
  for await (const batch of evenBatches(columns, batches)) {
    for (const [index, chunk] of chunks.entries()) chunk.add(itemAt(batch.columns, index), batch.rows)
    rows += batch.rows
    if (rows < GROUP_ROWS) continue
    yield* endGroup(out, writer, chunks, rows)
    rows = 0
  }
  if (rows > 0) yield* endGroup(out, writer, chunks, rows)
  writer.finish()
  yield takeBytes(out)
}

/** The pages of a row group; registers their offsets with the writer. */
function* endGroup(
  out: ByteWriter,
  writer: Writer,
  chunks: readonly Chunk[],
  rows: number,
): Generator<Uint8Array> {
  if (writer.row_groups.length === 0) yield takeBytes(out)
  const columns = chunks.map((chunk) => chunk.placed(rows))
  for (const chunk of chunks) yield* chunk.takePage()
  const total_byte_size = columns.reduce((sum, { meta_data }) => sum + meta_data.total_uncompressed_size, 0n)
  writer.row_groups.push({ columns, total_byte_size, num_rows: BigInt(rows) })
  writer.num_rows += BigInt(rows)
}

interface Page {
  readonly bytes: readonly Uint8Array[]
  /** Length with its header. */
  readonly length: number
  readonly uncompressed: number
}

class Chunk {
  readonly #column: FlatColumn
  readonly #element: SchemaElement
  readonly #writer: Writer
  #pages: Page[] = []
  /** A shared value mostly equals that of the previous batch. */
  #last: { readonly value: FlatValue; readonly rows: number; readonly page: Page } | undefined

  constructor(column: FlatColumn, writer: Writer) {
    this.#column = column
    this.#element = elementOf(column)
    this.#writer = writer
  }

  add(values: FlatValues, rows: number): void {
    const type = valueTypeOf(this.#column)
    if (!(values instanceof Constant)) {
      this.#pages.push(this.#pageOf(typed(type, values), rows))
      return
    }
    const { value } = values
    if (this.#last?.value !== value || this.#last.rows !== rows) {
      this.#last = { value, rows, page: this.#pageOf(repeatValue(type, value, rows), rows) }
    }
    this.#pages.push(this.#last.page)
  }

  /** Footer metadata of the pages, which follow next in the file. */
  placed(rows: number) {
    const { writer } = this.#writer
    const { type, name } = this.#element
    const offset = BigInt(writer.offset)
    const [length, uncompressed] = this.#pages.reduce(
      ([rowTotal, raw], page) => [rowTotal + page.length, raw + page.uncompressed],
      [0, 0],
    )
    writer.offset += length
    const meta_data = {
      type: type ?? 'BYTE_ARRAY',
      encodings: ['PLAIN' as const, 'RLE' as const],
      path_in_schema: [name],
      codec: 'SNAPPY' as const,
      num_values: BigInt(rows),
      total_uncompressed_size: BigInt(uncompressed),
      total_compressed_size: BigInt(length),
      data_page_offset: offset,
    }
    return { file_offset: offset, meta_data }
  }

  takePage(): readonly Uint8Array[] {
    const pages = this.#pages
    this.#pages = []
    return pages.flatMap(({ bytes }) => bytes)
  }

  #pageOf(values: Typed, rows: number): Page {
    const type = valueTypeOf(this.#column)
    if (type.as === 'uint64') refuseWide(this.#column, values)
    const content = pageContent(values, widths[type.as])
    const compressed = this.#writer.compressors.SNAPPY?.(content) ?? content
    const header = pageHeader(rows, content.length, compressed.length)
    const length = header.length + compressed.length
    return { bytes: [header, compressed], length, uncompressed: header.length + content.length }
  }
}

/** Returns the bytes written since the last call. */
function takeBytes(out: ByteWriter): Uint8Array {
  const bytes = new Uint8Array(out.getBuffer())
  out.index = 0
  return bytes
}

const widths: Readonly<Record<ValueType['as'], Width>> = {
  ...{ text: 'text', boolean: 'bit', int32: 4, date: 4 },
  ...{ int64: 8, uint64: 8, timestamp: 8, decimal: 16 },
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
        ...{ type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16, converted_type: 'DECIMAL' },
        ...{ scale: type.scale, precision: 38 },
      }
  }
}
