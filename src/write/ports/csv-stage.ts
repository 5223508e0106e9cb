import type { ValueRange } from '../../catalog/partition.ts'
import type { Stage } from './stage.ts'

/** Uncommitted rows of one resource, read from CSV files. */
export interface CsvStage extends Stage {
  /** Reads the records of a file and stages the valid ones. */
  load(path: string, options: CsvOptions): Promise<CsvRead>
}

/** Format of a CSV file, and the selection of its records. */
export interface CsvOptions {
  /** Number of the source in the stage. */
  readonly index: number
  readonly isGzip: boolean
  /** True if zero bytes follow its gzip stream. */
  readonly isPadded: boolean
  readonly hasHeader: boolean
  readonly newLine: NewLine | undefined
  /** Selects records by value. Records whose value cannot be read are refused in any case. */
  readonly only: ValueRange | undefined
  /** Limit of returned refused records. Beyond it only their number and the first are returned. */
  readonly mostRefused: (records: number) => number
  /** Receives the fraction of the file that has been read, 0 to 1. */
  readonly onRead?: (part: number) => void
}

export type NewLine = '\n' | '\r\n' | '\r'

/** Counts of the records of a file, staged and refused. */
export interface CsvRead {
  readonly records: number
  /** Rows staged in each partition. */
  readonly rows: ReadonlyMap<string | null, number>
  readonly refused: number
  /** By ascending ordinal, up to the limit; at least the first. */
  readonly firstRefused: readonly RefusedRecord[]
  /** The fault that makes the whole file unusable. */
  readonly broken: BrokenCsv | undefined
}

export interface RefusedRecord {
  readonly ordinal: bigint
  readonly reason: string
  /** The record as CSV. */
  readonly message: Uint8Array
}

/** A fault of a whole CSV file. Records count from 1. */
export type BrokenCsv =
  | { readonly by: 'quote' | 'encoding'; readonly record: bigint; readonly text: string }
  /** A record of more bytes than `most`. */
  | { readonly by: 'length'; readonly record: bigint; readonly most: number }
  | { readonly by: 'line ends' }
  /** More records with a wrong number of cells than the limit. */
  | { readonly by: 'lines'; readonly lines: number }
  /** Values of the partitioning column span more than `most` days or block ranges, which no ledger has. */
  | { readonly by: 'spread'; readonly column: string; readonly most: number }
