import type { TextRows } from '../../../answers/sql/sql-session.ts'
import type { CopyOptions } from '../statements/copy-options.ts'
import type { NamedColumn } from './prepared.ts'

/** Source: PostgreSQL, COPY, "Binary Format": signature, no flags, no extension. */
const BINARY_HEAD = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1')
const BINARY_END = Buffer.from([0xff, 0xff])

/** Writes rows as COPY sends them: one piece of bytes each. */
export interface CopyWriter {
  head(): Uint8Array | undefined
  row(row: TextRows[number]): Uint8Array
  end(): Uint8Array | undefined
}

/** Returns the writer of a format. Source: PostgreSQL, COPY, "File Formats". */
export function copyWriter(options: CopyOptions, columns: readonly NamedColumn[]): CopyWriter {
  if (options.format === 'binary') return binaryWriter(columns)
  const { delimiter, nullText, hasHeader } = options
  const cell = options.format === 'csv' ? csvCell(options, columns.length) : textCell(delimiter)
  const line = (cells: readonly string[]) => Buffer.from(`${cells.join(delimiter)}\n`)
  return {
    head: () => (hasHeader ? line(columns.map(({ name }) => cell(name))) : undefined),
    row: (row) =>
      line(
        columns.map((column, index) => {
          const value = row[index] ?? null
          return value === null ? nullText : cell(column.text(value))
        }),
      ),
    end: () => undefined,
  }
}

/** The head goes with the first piece, as PostgreSQL sends it; DuckDB reads no piece of a head alone. */
function binaryWriter(columns: readonly NamedColumn[]): CopyWriter {
  let head: Uint8Array = BINARY_HEAD
  const withHead = (bytes: Uint8Array) => {
    const piece = Buffer.concat([head, bytes])
    head = Buffer.alloc(0)
    return piece
  }
  return {
    head: () => undefined,
    row: (row) => withHead(binaryRow(row, columns)),
    end: () => withHead(BINARY_END),
  }
}

function binaryRow(row: TextRows[number], columns: readonly NamedColumn[]): Buffer {
  const count = Buffer.alloc(2)
  count.writeInt16BE(columns.length)
  const parts = columns.flatMap((column, index) => {
    const value = row[index] ?? null
    const length = Buffer.alloc(4, 0xff)
    if (value === null) return [length]
    const bytes = column.binary(value)
    length.writeInt32BE(bytes.length)
    return [length, bytes]
  })
  return Buffer.concat([count, ...parts])
}

const ESCAPES: Readonly<Record<string, string>> = {
  ...{ '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t', '\b': '\\b', '\f': '\\f', '\v': '\\v' },
}

function textCell(delimiter: string) {
  const special = new RegExp(`[\\\\\n\r\t\b\f\v${/[\\\]^-]/.test(delimiter) ? '\\' : ''}${delimiter}]`, 'g')
  return (text: string) => text.replace(special, (character) => ESCAPES[character] ?? `\\${character}`)
}

function csvCell({ delimiter, nullText, quote, escape: mark }: CopyOptions, width: number) {
  return (text: string) => {
    // A lone \. would end the data for readers of the text format.
    const isSpecial =
      text === nullText ||
      (width === 1 && text === '\\.') ||
      [delimiter, quote, '\n', '\r'].some((one) => text.includes(one))
    if (!isSpecial) return text
    const inner = [...text].map((one) => (one === quote || one === mark ? mark + one : one)).join('')
    return `${quote}${inner}${quote}`
  }
}
