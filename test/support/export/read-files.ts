import { DataType, type Field, tableFromIPC, type Vector } from 'apache-arrow'
import { parse } from 'csv-parse/sync'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { Fraction, readExact } from '../exact-json.ts'
import { instantText } from '../instants.ts'
import { decimalOf, withoutDecimal } from '../tables/delta-table.ts'

/** A value as text: digits of a number without needless zeros, an instant in ISO 8601, a day as a date. */
type Cell = string | null
export type Cells = Readonly<Record<string, Cell>>

/** Rows of an exported file, by the names of their columns, as a reader of another make has them. */
export const readers: Readonly<Record<string, (bytes: Buffer) => Promise<readonly Cells[]>>> = {
  ndjson: async (bytes) => linesOf(bytes).map((line) => cellsOf(Object.entries(readExact(line)))),
  csv: async (bytes) => csvRows(bytes),
  parquet: readParquet,
  arrow: async (bytes) => arrowRows(bytes),
  spreadsheet: async (bytes) => csvRows(bytes),
}

/** Every format of a file, in display order. A new one is added above alone. */
export const fileFormats = Object.keys(readers)

/** All but CSV for spreadsheets. */
export const plainFormats = fileFormats.filter((name) => name !== 'spreadsheet')

function linesOf(bytes: Buffer): readonly string[] {
  const lines = bytes.toString('utf8').split('\n')
  if (lines.pop() !== '') throw new Error('the last line has no end')
  return lines
}

const cellsOf = (entries: readonly (readonly [string, unknown])[]) =>
  Object.fromEntries(entries.map(([name, value]) => [name, cellOf(value)]))

function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return null
  if (value instanceof Fraction) return value.digits
  if (typeof value === 'string') return plain(value)
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value)
  if (typeof value === 'number' && Number.isSafeInteger(value)) return String(value)
  throw new Error(`no exact text of ${String(value)}`)
}

/** Trailing zeros of a fraction say nothing; formats differ in them. */
const plain = (text: string) => (/^-?\d+\.\d+$/.test(text) ? text.replace(/\.?0+$/, '') : text)

function csvRows(bytes: Buffer): readonly Cells[] {
  const rows: Record<string, Cell>[] = parse(bytes, {
    columns: true,
    cast: (text, { quoting, header }) => (header ? text : text === '' && !quoting ? null : plain(text)),
  })
  return rows
}

const day = (days: number) => new Date(days * 86_400_000).toISOString().slice(0, 10)

/** hyparquet makes doubles of decimals, so it is told that they are bytes. */
async function readParquet(bytes: Buffer): Promise<readonly Cells[]> {
  const file = new Uint8Array(bytes).buffer
  const metadata = parquetMetadata(file)
  const scales = new Map(metadata.schema.map(({ name, scale }) => [name, scale ?? 0]))
  const rows = await parquetReadObjects({
    file: { byteLength: file.byteLength, slice: async (from, to) => file.slice(from, to) },
    metadata: { ...metadata, schema: metadata.schema.map(withoutDecimal) },
    compressors,
    parsers: { timestampFromMicroseconds: instantText, dateFromDays: day } as never,
  })
  return rows.map((row) =>
    cellsOf(
      Object.entries(row).map(([name, value]) => {
        if (!(value instanceof Uint8Array)) return [name, value]
        const units = BigInt.asIntN(128, BigInt(`0x${Buffer.from(value).toString('hex')}`))
        return [name, `${decimalOf(units, scales.get(name) ?? 0)}`]
      }),
    ),
  )
}

function arrowRows(bytes: Buffer): readonly Cells[] {
  const table = tableFromIPC(bytes)
  const columns = table.schema.fields.map((field, index): [string, readonly Cell[]] => {
    return [field.name, arrowColumn(field, table.getChildAt(index) as Vector)]
  })
  return Array.from({ length: table.numRows }, (_, row) =>
    Object.fromEntries(columns.map(([name, values]) => [name, values[row] ?? null])),
  )
}

/** Its own `get` makes doubles of instants, so the bits are read. */
function arrowColumn({ type }: Field, vector: Vector): readonly Cell[] {
  const exact = vector.data.flatMap((data) =>
    Array.from({ length: data.length }, (_, index) => {
      if (!data.getValid(index)) return null
      if (DataType.isTimestamp(type)) return instantText((data.values as BigInt64Array)[index] as bigint)
      if (DataType.isDate(type)) return day((data.values as Int32Array)[index] as number)
      if (!DataType.isDecimal(type)) return undefined
      const words = (data.values as Uint32Array).subarray(index * 4, index * 4 + 4)
      const units = words.reduceRight((sum, word) => (sum << 32n) + BigInt(word), 0n)
      return `${decimalOf(BigInt.asIntN(128, units), type.scale)}`
    }),
  )
  return exact.map((cell, index) => (cell === undefined ? cellOf(vector.get(index)) : cell))
}
