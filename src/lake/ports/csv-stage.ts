import type { ValueRange } from '../../catalog/partition.ts'
import type { Stage } from './stage.ts'

/** Rows of one resource read from CSV files, which nobody can read yet. */
export interface CsvStage extends Stage {
  /** Reads the records of a file and stages those that can be rows. */
  load(path: string, options: CsvOptions): Promise<CsvRead>
}

/** How a CSV file is written, and which of its records are read. */
export interface CsvOptions {
  /** Number of the source in the stage. */
  readonly index: number
  readonly isGzip: boolean
  /** Whether zero bytes follow its gzip stream. */
  readonly isPadded: boolean
  readonly hasHeader: boolean
  readonly newLine: NewLine | undefined
  /** Only records with such values are taken; those whose value cannot be read are refused all the same. */
  readonly only: ValueRange | undefined
  /** So many refused records are given back; of more, only their number and the first. */
  readonly mostRefused: (records: number) => number
  /** The part of the file that has been read, 0 to 1. */
  readonly onRead?: (part: number) => void
}

export type NewLine = '\n' | '\r\n' | '\r'

/** What became of the records of a file. */
export interface CsvRead {
  /** Records that were looked at. */
  readonly records: number
  /** Rows staged in each partition. */
  readonly rows: ReadonlyMap<string | null, number>
  readonly refused: number
  /** By ascending ordinal; at least the first. */
  readonly told: readonly RefusedRecord[]
  /** Why the file as a whole cannot be trusted. */
  readonly broken: BrokenCsv | undefined
}

export interface RefusedRecord {
  readonly ordinal: bigint
  readonly reason: string
  /** The record as CSV. */
  readonly message: Uint8Array
}

/** What breaks a file of CSV; lines are counted from 1, and those within quotes are not counted. */
export type BrokenCsv =
  | { readonly by: 'quote' | 'encoding'; readonly line: bigint; readonly text: string }
  /** A line of more bytes than `most`. */
  | { readonly by: 'length'; readonly line: bigint; readonly most: number }
  | { readonly by: 'line ends' }
  /** More lines of too few or too many cells than can be kept. */
  | { readonly by: 'lines'; readonly lines: number }
  /** Values of the partitioning column in more than `most` days or ranges of blocks, which no ledger has. */
  | { readonly by: 'spread'; readonly column: string; readonly most: number }
