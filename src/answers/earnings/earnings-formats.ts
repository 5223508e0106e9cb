import { seriesFormats } from '../../catalog/export-formats.ts'
import { writers } from '../export/formats/formats.ts'
import type { EarningsFormat } from './earnings-format.ts'
import { batchOf, type EarningsRow, earningsColumns } from './earnings-row.ts'
import { writeWorkbook } from './earnings-workbook.ts'
import { taxFormats } from './tax-files.ts'

async function* batches(rows: AsyncIterable<readonly EarningsRow[]>) {
  for await (const batch of rows) yield batchOf(batch)
}

const flatFormats = seriesFormats.map((format): EarningsFormat => {
  const write = writers[format.name]
  return {
    ...format,
    write: (rows, { locale }) => write(earningsColumns, batches(rows), { integersAsText: false, locale }),
  }
})

const workbookFormat: EarningsFormat = {
  name: 'xlsx',
  type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  extension: '.xlsx',
  title: 'an Excel workbook',
  doc: 'A workbook for Excel and LibreOffice: numbers rounded to fifteen digits, exact text beside them, and a sheet of sums.',
  write: writeWorkbook,
}

export const earningsFormats: readonly EarningsFormat[] = [...flatFormats, workbookFormat, ...taxFormats]

export function earningsFormat(name: string): EarningsFormat | undefined {
  return earningsFormats.find((format) => format.name === name)
}
