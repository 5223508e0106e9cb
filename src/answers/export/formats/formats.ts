import type { ExportFormat } from '../../../catalog/export-formats.ts'
import { writeArrow } from './arrow.ts'
import { writeCsv, writeSpreadsheet } from './csv.ts'
import type { WriteFormat } from './flat-batch.ts'
import { writeNdjson } from './ndjson.ts'
import { writeParquet } from './parquet.ts'

export const writers: Readonly<Record<ExportFormat['name'], WriteFormat>> = {
  ndjson: writeNdjson,
  csv: writeCsv,
  parquet: writeParquet,
  arrow: writeArrow,
  spreadsheet: writeSpreadsheet,
}
