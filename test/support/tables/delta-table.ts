import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  asyncBufferFromFile,
  type FileMetaData,
  parquetMetadataAsync,
  parquetReadObjects,
  type SchemaElement,
} from 'hyparquet'
import { compressors } from 'hyparquet-compressors'

/** Delta tables read as any other program would: the log as JSON lines, the data files with hyparquet. */

/** 64-bit numbers, amounts and instants (microseconds) as bigint, decimals as plain text, bytes as hex. */
export type ExactValue = string | bigint | boolean | null | readonly string[]
export type ExactRow = Readonly<Record<string, ExactValue>>

/** One member that names the kind of action. */
type LogAction = Readonly<Record<string, Readonly<Record<string, unknown>>>>

export interface LogEntry {
  readonly version: number
  readonly path: string
  readonly text: string
  readonly actions: readonly LogAction[]
}

export interface LoggedFile {
  readonly path: string
  readonly partitionValues: Readonly<Record<string, string>>
  readonly size: number
  readonly modificationTime: number
  readonly dataChange: boolean
  readonly stats: string
  readonly tags: Readonly<Record<string, string>>
}

/** The entries of a log in the order of their versions. */
export function readEntries(table: string): readonly LogEntry[] {
  const folder = join(table, '_delta_log')
  return readdirSync(folder)
    .filter((name) => /^\d{20}\.json$/.test(name))
    .sort()
    .map((name) => {
      const path = join(folder, name)
      const text = readFileSync(path, 'utf8')
      const actions = text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as LogAction)
      return { version: Number.parseInt(name, 10), path, text, actions }
    })
}

/** The files that a log adds and does not remove, oldest first. */
export function addedFiles(table: string): readonly LoggedFile[] {
  const actions = readEntries(table).flatMap((entry) => entry.actions)
  const removed = actions.map(({ remove }) => remove?.path)
  const added = actions.flatMap(({ add }) => (add === undefined ? [] : [add as unknown as LoggedFile]))
  return added.filter(({ path }) => !removed.includes(path))
}

/** Where the file of an add action lies: its path is relative to the table and URI-encoded. */
export function locationOf(table: string, file: LoggedFile): string {
  return join(table, decodeURIComponent(file.path))
}

export async function readMetadata(path: string): Promise<FileMetaData> {
  return await parquetMetadataAsync(await asyncBufferFromFile(path))
}

const isDecimal = ({ converted_type }: SchemaElement) => converted_type === 'DECIMAL'

/**
 * The rows of a data file without loss. hyparquet itself makes doubles of decimals and milliseconds of instants;
 * so it is told that decimals are plain fixed-length bytes, and instants are kept as the microseconds they are.
 */
export async function readExactRows(path: string, columns?: string[]): Promise<readonly ExactRow[]> {
  const file = await asyncBufferFromFile(path)
  const metadata = await parquetMetadataAsync(file)
  const scales = new Map(metadata.schema.filter(isDecimal).map(({ name, scale }) => [name, scale ?? 0]))
  const rows = await parquetReadObjects({
    file,
    ...(columns !== undefined && { columns }),
    metadata: { ...metadata, schema: metadata.schema.map(withoutDecimal) },
    compressors,
    utf8: false,
    parsers: { timestampFromMicroseconds: (micros: bigint) => micros },
  })
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, exactValue(value, scales.get(name))]),
    ),
  )
}

/** A column as hyparquet gives its bytes instead of a double. */
export function withoutDecimal(element: SchemaElement): SchemaElement {
  if (!isDecimal(element)) return element
  const { converted_type: _converted, logical_type: _logical, ...bytes } = element
  return bytes
}

function exactValue(value: unknown, scale: number | undefined): ExactValue {
  if (value === null || value === undefined) return null
  if (value instanceof Uint8Array) {
    const hex = Buffer.from(value).toString('hex')
    return scale === undefined ? hex : decimalOf(BigInt.asIntN(value.length * 8, BigInt(`0x${hex}`)), scale)
  }
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new Error(`${value} may have been rounded`)
    return BigInt(value)
  }
  if (typeof value === 'string' || typeof value === 'bigint' || typeof value === 'boolean') return value
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value
  throw new Error(`no exact form of ${JSON.stringify(value)}`)
}

/** Without digits after the point an amount, else plain text without needless zeros. */
export function decimalOf(unscaled: bigint, scale: number): bigint | string {
  if (scale === 0) return unscaled
  const digits = (unscaled < 0n ? -unscaled : unscaled).toString().padStart(scale + 1, '0')
  const fraction = digits.slice(-scale).replace(/0+$/, '')
  const whole = digits.slice(0, -scale)
  return `${unscaled < 0n ? '-' : ''}${fraction === '' ? whole : `${whole}.${fraction}`}`
}
