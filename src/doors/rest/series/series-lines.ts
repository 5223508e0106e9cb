import { plainSheet, spreadsheetOf } from '../../../answers/export/formats/csv.ts'
import type { SeriesRows } from '../../../answers/series/series-rows.ts'
import type { ExportFormat } from '../../../catalog/export-formats.ts'
import { seriesRecord } from '../../../catalog/records/series-record.ts'
import type { Spelling } from '../../../catalog/records/spelling.ts'
import type { Resource } from '../../../catalog/resource.ts'
import type { WriteItem } from '../../contract/listed-object.ts'
import { rowMembers } from '../../contract/series-members.ts'
import { rowWriter } from './row-writer.ts'

/** The first line of a file of a series, and a function that writes the line of a row. */
interface SeriesLines {
  readonly type: string
  readonly head: string
  readonly writeLine: WriteItem
}

interface LineOptions {
  readonly format: ExportFormat
  readonly integersAsText: boolean
  /** Language of CSV for spreadsheets. */
  readonly locale?: string | undefined
}

const END = Buffer.from('\n')

/** Returns the rows of a series as lines: the objects of its JSON, or their values under the names of the members. */
export function seriesLines(
  resource: Resource,
  rows: SeriesRows,
  spelling: Spelling,
  { format: { name, type }, integersAsText, locale }: LineOptions,
): SeriesLines {
  if (name === 'ndjson') {
    const writeRow = rowWriter(resource, rows, spelling, integersAsText)
    const writeLine: WriteItem = (text, index) => {
      writeRow(text, index)
      text.utf8(END)
    }
    return { type, head: '', writeLine }
  }
  const names = rowMembers(resource).map((member) => member.name)
  const { begin, separator, style } = name === 'spreadsheet' ? spreadsheetOf(locale) : plainSheet
  const writeLine: WriteItem = (text, index) => {
    const { start, token, group, name: groupName, ...sums } = seriesRecord(resource, rows.at(index), spelling)
    const texts = [start, token, group, groupName].map((value) =>
      value === null ? '' : style.escapes.write(`${value}`),
    )
    const numbers = Object.values(sums).map((value) =>
      `${value ?? ''}`.replace('.', style.decimalMark ?? '.'),
    )
    text.text(`${[...texts, ...numbers].join(separator)}\n`)
  }
  return { type, head: `${begin}${names.join(separator)}\n`, writeLine }
}
