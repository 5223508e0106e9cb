import type { WriteFormat } from './format.ts'
import { linesOf } from './lines.ts'
import { textOf } from './text-of.ts'
import { valueTypeOf } from './value-types.ts'

/** Comma-separated values with a header line. A null is an empty cell; empty text is a pair of quotes. Source: RFC 4180. */
export const writeCsv: WriteFormat = async function* (columns, batches) {
  const cells = columns.map((column, index) => {
    const type = valueTypeOf(column)
    const write = type.as === 'text' ? quoted : textOf(type)
    return { before: index === 0 ? '' : ',', none: '', write: write as ReturnType<typeof textOf> }
  })
  yield Buffer.from(`${columns.map(({ name }) => quoted(name)).join(',')}\n`)
  for await (const batch of batches) yield linesOf(cells, '\n', batch)
}

const NEEDS_QUOTES = /[",\r\n]|^$/

function quoted(text: string): string {
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
