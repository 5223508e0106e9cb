import type { WriteFormat } from './format.ts'
import { type Cell, linesOf } from './lines.ts'
import type { Style } from './pens.ts'
import { valueTypeOf } from './value-types.ts'

/** Comma-separated values with a header line. A null is an empty cell; empty text is a pair of quotes. Source: RFC 4180. */
export const writeCsv: WriteFormat = async function* (columns, batches) {
  const cells = columns.map(
    (column, index): Cell => ({ before: index === 0 ? '' : ',', type: valueTypeOf(column), style }),
  )
  yield Buffer.from(`${columns.map(({ name }) => quoted(name)).join(',')}\n`)
  for await (const batch of batches) yield linesOf(cells, '\n', batch)
}

const NEEDS_QUOTES = /[",\r\n]|^$/

function quoted(text: string): string {
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const bytes = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 128 && '",\r\n'.includes(String.fromCharCode(byte)) ? 1 : 0,
)

const style: Style = { none: '', isQuoted: false, escapes: { bytes, isForEmpty: true, write: quoted } }
