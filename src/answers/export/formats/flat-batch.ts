import type { Constant, Vector } from '../../../base/values/vector.ts'
import type { FlatColumn } from '../../../catalog/records/flat-columns.ts'

export type FlatValue = string | bigint | number | boolean | null

/** A value per row, or one shared value. */
export type FlatValues = Vector<FlatValue> | Constant<FlatValue>

/** Columns of equal length. */
export interface FlatBatch {
  readonly rows: number
  readonly columns: readonly FlatValues[]
}

/** Options of an export besides its format. */
export interface FormatOptions {
  /** 64-bit integers as JSON strings, for readers that would round them. */
  readonly integersAsText: boolean
  /** Language of CSV for spreadsheets. */
  readonly locale?: string | undefined
  /** Folder for temporary files; by default that of the system. */
  readonly scratchFolder?: string | undefined
  /** Pairs of the footer of a Parquet file. */
  readonly keyValues?: Readonly<Record<string, string>> | undefined
}

/** Writes columns and rows as the bytes of a file, on demand. */
export type WriteFormat = (
  columns: readonly FlatColumn[],
  batches: AsyncIterable<FlatBatch>,
  options: FormatOptions,
) => AsyncIterable<Uint8Array>
