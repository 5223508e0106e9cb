import type { FlatColumn, FlatType } from '../../../catalog/records/flat-columns.ts'
import { marksOf } from '../../../catalog/spreadsheet-locale.ts'
import type { Escapes } from './escapes.ts'
import type { FlatBatch, WriteFormat } from './flat-batch.ts'
import { cellWriter, type LineCell, writeLines } from './lines.ts'
import type { PenStyle } from './pens.ts'
import { valueTypeOf } from './value-types.ts'

const NEEDS_QUOTES = /[",\r\n]|^$/
/** Full-width signs count as signs; some programs split cells at semicolons and tabs even inside quotes. */
const BEFORE_FORMULA = /(?<=^|[;\t\r\n])(?=[=+\-@\t\r\n＝＋－＠])/gu
const IS_NUMBER = /^[+-]?\d+(\.\d+)?$/

/** Cells, and the characters around them. */
interface Sheet {
  /** First characters of the file. */
  readonly begin: string
  readonly separator: string
  readonly style: PenStyle
}

export const plainSheet: Sheet = {
  ...{ begin: '', separator: ',' },
  style: styleOf({ bytes: bytesOf('",\r\n'), isForEmpty: true, write: quoted }),
}

/** Comma-separated values with a header line. A null is an empty cell; empty text is a pair of quotes. Source: RFC 4180. */
export const writeCsv: WriteFormat = (columns, batches) => writeSheet(columns, batches, plainSheet)

/** A style that escapes formulas. `also` is a character that needs quotes as well. */
function sheetStyle(also: '' | ';', decimalMark?: ','): PenStyle {
  const write = (text: string) => {
    const safe = IS_NUMBER.test(text) ? text : text.replaceAll(BEFORE_FORMULA, "'")
    return also !== '' && safe.includes(also) ? inQuotes(safe) : quoted(safe)
  }
  const escapes = { bytes: bytesOf(`",\r\n=+-@\t＝＋－＠${also}`), isForEmpty: true, write }
  return { ...styleOf(escapes), decimalMark }
}

const pointSheet: Sheet = { begin: '', separator: ',', style: sheetStyle('') }
const commaStyle = sheetStyle(';', ',')

/** Spreadsheets read UTF-8 as such behind this mark. */
const BYTE_ORDER_MARK = '\uFEFF'

/**
 * CSV for spreadsheets: an apostrophe precedes text that a spreadsheet would run as a formula. Source: OWASP, "CSV
 * Injection".
 */
export const writeSpreadsheet: WriteFormat = (columns, batches, { locale }) =>
  writeSheet(columns, batches, spreadsheetOf(locale))

/** Returns the marks and cells of CSV for spreadsheets, in those of a language if given. */
export function spreadsheetOf(locale?: string): Sheet {
  if (locale === undefined) return pointSheet
  const { decimal, separator } = marksOf(locale)
  return { begin: BYTE_ORDER_MARK, separator, style: decimal === ',' ? commaStyle : pointSheet.style }
}

/** Returns a function that writes a value as a cell for spreadsheets. */
export const spreadsheetCell = (type: FlatType) => cellWriter(valueTypeOf({ type }), pointSheet.style)

function styleOf(escapes: Escapes): PenStyle {
  return { none: '', isQuoted: false, escapes }
}

async function* writeSheet(
  columns: readonly FlatColumn[],
  batches: AsyncIterable<FlatBatch>,
  { begin, separator, style }: Sheet,
): AsyncGenerator<Uint8Array> {
  const cells = columns.map(
    (column, index): LineCell => ({ before: index === 0 ? '' : separator, type: valueTypeOf(column), style }),
  )
  yield Buffer.from(`${begin}${columns.map(({ name }) => quoted(name)).join(separator)}\n`)
  yield* writeLines(cells, '\n', batches)
}

function quoted(text: string): string {
  return NEEDS_QUOTES.test(text) ? inQuotes(text) : text
}

function inQuotes(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}

function bytesOf(characters: string): Uint8Array {
  const bytes = new Uint8Array(256)
  for (const byte of Buffer.from(characters)) bytes[byte] = 1
  return bytes
}
