/** A file format of whole lists. */
export interface ExportFormat {
  /** Value of the parameter `format`. */
  readonly name: 'ndjson' | 'csv' | 'parquet' | 'arrow' | 'spreadsheet'
  /** Media type, with its character set. */
  readonly type: string
  /** Extension of file names, with the point. */
  readonly extension: string
  /** Its name in a sentence. */
  readonly title: string
  readonly doc: string
}

export const exportFormats: readonly ExportFormat[] = [
  {
    name: 'ndjson',
    type: 'application/x-ndjson; charset=utf-8',
    extension: '.ndjson',
    title: 'NDJSON',
    doc: 'One JSON object a line, each with all columns.',
  },
  {
    name: 'csv',
    type: 'text/csv; charset=utf-8; header=present',
    extension: '.csv',
    title: 'CSV',
    doc: 'A line of names, then a line for each row. A null is an empty cell; empty text is a pair of quotes.',
  },
  {
    name: 'parquet',
    type: 'application/vnd.apache.parquet',
    extension: '.parquet',
    title: 'Parquet',
    doc: 'A Parquet file, compressed by Zstandard.',
  },
  {
    name: 'arrow',
    type: 'application/vnd.apache.arrow.stream',
    extension: '.arrows',
    title: 'an Arrow IPC stream',
    doc: 'An Arrow IPC stream.',
  },
  {
    name: 'spreadsheet',
    // The profile keeps types, and thus ETags, of both CSV formats apart.
    type: 'text/csv; charset=utf-8; header=present; profile=spreadsheet',
    extension: '.csv',
    title: 'CSV for spreadsheets',
    doc: 'CSV with an apostrophe before text that a spreadsheet would take for a formula.',
  },
]

/** Formats of a series. */
export const seriesFormats = exportFormats.filter(({ type }) => /^text|ndjson/.test(type))

/** All but CSV for spreadsheets. */
export const plainFormats = exportFormats.filter(({ name }) => name !== 'spreadsheet')
