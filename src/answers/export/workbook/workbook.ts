import { plainDecimal } from '../../../base/values/decimal.ts'
import { type ZipPart, zip } from './zip.ts'

/** A cell: text, a number as exact text of its digits, or a day since 1970; null is empty. */
export type Cell = { readonly text: string } | { readonly number: string } | { readonly day: number } | null

/** A sheet whose first row is its header. */
export interface Sheet {
  readonly name: string
  /** Width of each column in characters. */
  readonly widths: readonly number[]
  readonly rows: AsyncIterable<readonly Cell[]>
}

/** Rows of a sheet. Source: Microsoft, "Excel specifications and limits". */
export const MOST_SHEET_ROWS = 1_048_576

/** Writes sheets as an Office Open XML workbook, one after another. Source: ECMA-376, part 1, 18. */
export function workbook(sheets: readonly Sheet[]): AsyncGenerator<Uint8Array> {
  const numbered = sheets.map((sheet, index) => ({ ...sheet, number: index + 1 }))
  const part = (name: string, xml: string): ZipPart => ({ name, bytes: encoded([XML + xml]) })
  const types = numbered.map(
    ({ number }) =>
      `<Override PartName="/xl/worksheets/sheet${number}.xml" ContentType="${TYPES}worksheet+xml"/>`,
  )
  const links = numbered.map(
    ({ number }) =>
      `<Relationship Id="s${number}" Type="${RELATION}worksheet" Target="worksheets/sheet${number}.xml"/>`,
  )
  const names = numbered.map(
    ({ name, number }) => `<sheet name="${escaped(name)}" sheetId="${number}" r:id="s${number}"/>`,
  )
  return zip([
    part(
      '[Content_Types].xml',
      `<Types xmlns="${PACKAGE}content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPES}sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPES}styles+xml"/>${types.join('')}</Types>`,
    ),
    part(
      '_rels/.rels',
      `<Relationships xmlns="${PACKAGE}relationships"><Relationship Id="w" Type="${RELATION}officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ),
    part(
      'xl/workbook.xml',
      `<workbook xmlns="${MAIN}" xmlns:r="${RELATION.slice(0, -1)}"><sheets>${names.join('')}</sheets></workbook>`,
    ),
    part(
      'xl/_rels/workbook.xml.rels',
      `<Relationships xmlns="${PACKAGE}relationships">${links.join('')}<Relationship Id="t" Type="${RELATION}styles" Target="styles.xml"/></Relationships>`,
    ),
    part('xl/styles.xml', STYLES),
    ...numbered.map(({ number, ...sheet }) => ({
      name: `xl/worksheets/sheet${number}.xml`,
      bytes: encoded(sheetXml(sheet)),
    })),
  ])
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006/'
const RELATION = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/'
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml.'

/** Styles of cells by number: none, day, text, header. */
const [DAY, TEXT, HEADER] = [1, 2, 3]
const STYLES = `<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/></numFmts><fonts count="2"><font/><font><b/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4"><xf/><xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="49" applyNumberFormat="1"/><xf fontId="1" applyFont="1"/></cellXfs></styleSheet>`

async function* sheetXml({ widths, rows }: Omit<Sheet, 'name'>): AsyncGenerator<string> {
  const columns = widths.map(
    (width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`,
  )
  const frozen = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
  yield `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">${frozen}</sheetView></sheetViews><cols>${columns.join('')}</cols><sheetData>`
  let number = 0
  for await (const cells of rows) {
    number += 1
    yield `<row r="${number}">${cells.map((cell) => cellXml(cell, number === 1)).join('')}</row>`
  }
  yield '</sheetData></worksheet>'
}

function cellXml(cell: Cell, isHeader: boolean): string {
  if (cell === null) return '<c/>'
  if ('number' in cell) return `<c><v>${cell.number}</v></c>`
  // Days are counted from 30 December 1899.
  if ('day' in cell) return `<c s="${DAY}"><v>${cell.day + 25_569}</v></c>`
  const style = isHeader ? HEADER : TEXT
  return `<c s="${style}" t="inlineStr"><is><t xml:space="preserve">${escaped(cell.text)}</t></is></c>`
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** XML has no control characters, and no halves of surrogate pairs. */
function escaped(text: string): string {
  return text.replace(
    /[&<>"]|[^\P{Cc}\t\n\r]|\p{Cs}|[\uFFFE\uFFFF]/gu,
    (found) => ENTITIES[found] ?? '\uFFFD',
  )
}

const PIECE_LENGTH = 65_536

/** Collects short texts into pieces. */
async function* encoded(texts: Iterable<string> | AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  let piece = ''
  for await (const text of texts) {
    piece += text
    if (piece.length < PIECE_LENGTH) continue
    yield Buffer.from(piece)
    piece = ''
  }
  yield Buffer.from(piece)
}

/** Digits that every spreadsheet keeps of a number. */
const KEPT_DIGITS = 15

/** Returns units of 10^-scale as a number, rounded half up to fifteen digits. */
export function roundedNumber(units: bigint, scale: number): Cell {
  const dropped = units.toString().length - KEPT_DIGITS
  if (dropped <= 0) return { number: plainDecimal(units, scale) }
  const unit = 10n ** BigInt(dropped)
  return { number: plainDecimal(((units + unit / 2n) / unit) * unit, scale) }
}
