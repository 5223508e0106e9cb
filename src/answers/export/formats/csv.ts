import type { FlatType } from '../../../catalog/records/flat-columns.ts'
import type { Escapes } from './escapes.ts'
import type { WriteFormat } from './flat-batch.ts'
import { cellWriter, type LineCell, writeLines } from './lines.ts'
import type { PenStyle } from './pens.ts'
import { valueTypeOf } from './value-types.ts'

const NEEDS_QUOTES = /[",\r\n]|^$/
/** Full-width signs count as signs; some programs split cells at semicolons and tabs even inside quotes. */
const BEFORE_FORMULA = /(?<=^|[;\t\r\n])(?=[=+\-@\t\r\n＝＋－＠])/gu
const IS_NUMBER = /^[+-]?\d+(\.\d+)?$/

/** Comma-separated values with a header line. A null is an empty cell; empty text is a pair of quotes. Source: RFC 4180. */
export const writeCsv = writerOf(styleOf({ bytes: bytesOf('",\r\n'), isForEmpty: true, write: quoted }))

const spreadsheet = styleOf({
  bytes: bytesOf('",\r\n=+-@\t＝＋－＠'),
  isForEmpty: true,
  write: (text) => quoted(IS_NUMBER.test(text) ? text : text.replaceAll(BEFORE_FORMULA, "'")),
})

/**
 * CSV for spreadsheets: an apostrophe precedes text that a spreadsheet would run as a formula. Source: OWASP, "CSV
 * Injection".
 */
export const writeSpreadsheet = writerOf(spreadsheet)

/** Returns a function that writes a value as a cell for spreadsheets. */
export const spreadsheetCell = (type: FlatType) => cellWriter(valueTypeOf({ type }), spreadsheet)

function styleOf(escapes: Escapes): PenStyle {
  return { none: '', isQuoted: false, escapes }
}

function writerOf(style: PenStyle): WriteFormat {
  return async function* (columns, batches) {
    const cells = columns.map(
      (column, index): LineCell => ({ before: index === 0 ? '' : ',', type: valueTypeOf(column), style }),
    )
    yield Buffer.from(`${columns.map(({ name }) => quoted(name)).join(',')}\n`)
    yield* writeLines(cells, '\n', batches)
  }
}

function quoted(text: string): string {
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function bytesOf(characters: string): Uint8Array {
  const bytes = new Uint8Array(256)
  for (const byte of Buffer.from(characters)) bytes[byte] = 1
  return bytes
}
