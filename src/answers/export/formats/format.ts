import type { FlatColumn } from '../../../catalog/records/flat-columns.ts'
import type { FlatBatch } from './flat-batch.ts'

/** What a caller may choose beside the format itself. */
export interface FormatOptions {
  /** 64-bit integers as JSON strings, for readers that would round them. */
  readonly integersAsText: boolean
}

/** The bytes of a file with these columns and rows, made as they are asked for. */
export type WriteFormat = (
  columns: readonly FlatColumn[],
  batches: AsyncIterable<FlatBatch>,
  options: FormatOptions,
) => AsyncIterable<Uint8Array>
