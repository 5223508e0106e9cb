import type { FlatColumn } from '../../../catalog/records/flat-columns.ts'
import type { FlatBatch } from './flat-batch.ts'

/** Options of an export besides its format. */
export interface FormatOptions {
  /** 64-bit integers as JSON strings, for readers that would round them. */
  readonly integersAsText: boolean
}

/** Writes columns and rows as the bytes of a file, on demand. */
export type WriteFormat = (
  columns: readonly FlatColumn[],
  batches: AsyncIterable<FlatBatch>,
  options: FormatOptions,
) => AsyncIterable<Uint8Array>
