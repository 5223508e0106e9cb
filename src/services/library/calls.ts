/** The calls of a table. `tables.ts` says which table has which. */

/** An instant as ISO 8601 text (a bare date is 00:00 UTC) or as a Date. */
export type Instant = string | Date

export interface CallOptions {
  /** Aborts the call, which then fails with the reason of the signal. */
  readonly signal?: AbortSignal
}

export interface PageQuery {
  /** From 1. */
  readonly page?: number
  /** 1 to 100; default: 25. */
  readonly perPage?: number
}

export interface Page<Row> {
  readonly records: readonly Row[]
  /** Records of this page. */
  readonly count: number
  /** At least 1. */
  readonly totalPages: number
  readonly currentPage: number
  readonly nextPage: number | null
  readonly prevPage: number | null
}

/** Format of a whole list. */
export type FileFormat = 'ndjson' | 'csv' | 'parquet' | 'arrow' | 'spreadsheet'

export interface FileQuery {
  readonly format: FileFormat
  /** Flat columns, separated by commas; default: all. */
  readonly columns?: string
  /** Language of `spreadsheet`, such as de: its decimal mark and separator. */
  readonly locale?: string
}

/** Format of a series as a file. */
export interface SeriesFileQuery {
  readonly format: 'ndjson' | 'csv' | 'spreadsheet'
  /** Language of `spreadsheet`, such as de: its decimal mark and separator. */
  readonly locale?: string
}

/** A whole list, or a series, as a file. */
export interface ExportedFile {
  /** Exact number of rows, known before the first byte. */
  readonly rows: number
  /** The bytes, produced on demand. */
  readonly bytes: AsyncIterable<Uint8Array>
}

export interface WithList<Row, Query> {
  page(query?: Query & PageQuery, options?: CallOptions): Promise<Page<Row>>
  /** All records in order, of one snapshot, read as they are taken. */
  rows(query?: Query, options?: CallOptions): AsyncIterableIterator<Row>
  export(query: Query & FileQuery, options?: CallOptions): Promise<ExportedFile>
}

export interface WithFind<Row> {
  /** Finds a record by its id or another key; undefined if there is none. */
  find(id: string, options?: CallOptions): Promise<Row | undefined>
}

export interface WithTotals<Totals, Query> {
  totals(query?: Query, options?: CallOptions): Promise<Totals>
}

export interface SeriesResult<Row, Meta> {
  readonly meta: Meta
  readonly records: readonly Row[]
}

export interface WithSeries<Row, Meta, Query> {
  /** Sums by day, week or month, and by group. */
  series(query?: Query, options?: CallOptions): Promise<SeriesResult<Row, Meta>>
  /** The rows of a series as a file, with every digit. */
  seriesFile(query: Query & SeriesFileQuery, options?: CallOptions): Promise<ExportedFile>
}
