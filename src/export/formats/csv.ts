import type { FlatBatch, FlatValue, WriteFormat } from './format.ts'
import { textOf } from './text-of.ts'
import { valueTypeOf } from './value-types.ts'

/** Comma-separated values with a header line. A null is an empty cell; empty text is a pair of quotes. Source: RFC 4180. */
export const writeCsv: WriteFormat = async function* (columns, batches) {
  const cells = columns.map((column) => {
    const type = valueTypeOf(column)
    return type.as === 'text' ? (value: NonNullable<FlatValue>) => quoted(value as string) : textOf(type)
  })
  yield Buffer.from(`${columns.map(({ name }) => quoted(name)).join(',')}\n`)
  for await (const batch of batches) yield Buffer.from(linesOf(cells, batch))
}

const NEEDS_QUOTES = /[",\r\n]|^$/

function quoted(text: string): string {
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function linesOf(
  cells: readonly ((value: NonNullable<FlatValue>) => string)[],
  { rows, columns }: FlatBatch,
): string {
  let lines = ''
  for (let row = 0; row < rows; row += 1) {
    let line = ''
    for (let index = 0; index < cells.length; index += 1) {
      const value = columns[index]?.[row] ?? null
      const cell = value === null ? '' : cells[index]?.(value)
      line += index === 0 ? cell : `,${cell}`
    }
    lines += `${line}\n`
  }
  return lines
}
