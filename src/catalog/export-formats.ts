/** A file format of whole lists. */
export interface ExportFormat {
  /** Value of the parameter `format`. */
  readonly name: 'ndjson' | 'csv' | 'parquet' | 'arrow' | 'spreadsheet'
  /** Media type, with its character set. */
  readonly type: string
  /** Extension of file names, with the point. */
  readonly extension: string
  readonly doc: string
}

export const exportFormats: readonly ExportFormat[] = [
  {
    name: 'ndjson',
    type: 'application/x-ndjson; charset=utf-8',
    extension: '.ndjson',
    doc: 'One JSON object a line, each with all columns.',
  },
  {
    name: 'csv',
    type: 'text/csv; charset=utf-8; header=present',
    extension: '.csv',
    doc: 'A line of names, then a line for each row. A null is an empty cell; empty text is a pair of quotes.',
  },
  {
    name: 'parquet',
    type: 'application/vnd.apache.parquet',
    extension: '.parquet',
    doc: 'A Parquet file, compressed by Snappy.',
  },
  {
    name: 'arrow',
    type: 'application/vnd.apache.arrow.stream',
    extension: '.arrows',
    doc: 'An Arrow IPC stream.',
  },
  {
    name: 'spreadsheet',
    // The profile keeps types, and thus ETags, of both CSV formats apart.
    type: 'text/csv; charset=utf-8; header=present; profile=spreadsheet',
    extension: '.csv',
    doc: 'CSV with an apostrophe before text that a spreadsheet would take for a formula.',
  },
]
