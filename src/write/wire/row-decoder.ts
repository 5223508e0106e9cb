import type { Value } from '../../catalog/column.ts'
import type { NetworkId } from '../../catalog/networks.ts'
import type { Resource } from '../../catalog/resource.ts'
import { emptyBatch, type RowBatch } from '../ports/row-batch.ts'
import type { FramesRead, VisitFrame } from './frames.ts'
import type { BinaryReader } from './reader.ts'

/** Kind and network of an artifact, which its messages lack. */
export interface MessageOrigin {
  readonly kind: string
  /** Network named by the category folder; undefined in a flat folder. */
  readonly network: NetworkId | undefined
}

/** Decodes the messages of one kind of artifact into rows of one resource. */
export interface RowDecoder {
  readonly resource: Resource
  readonly columns: readonly string[]
  /** Values of the last decoded row, one per column; the caller fills in the ordinal. */
  readonly values: Value[]
  /** Decodes up to `end` and returns the variant. Errors: RowFault; any other error for a broken file. */
  decode(reader: BinaryReader, end: number, origin: MessageOrigin): string | null
  /**
   * Column with the network of a row, if artifacts of both networks share file names. The network is then part of the
   * source's kind.
   */
  readonly networkColumn?: string
}

/** Decoder and empty batches for one kind of artifact. */
export interface KindReader {
  readonly decoder: RowDecoder
  readonly shapes: readonly RowBatch[]
  /** Splits a file into messages; default: frames. */
  readonly read?: (path: string, visit: VisitFrame, signal?: AbortSignal) => Promise<FramesRead>
  /** True for records: a file of another kind then has no valid record. */
  readonly isRecords?: true
}

/** Columns without the source name, which is added when a file is written. The ordinal is counted. */
export function decodedColumns(resource: Resource): readonly string[] {
  return Object.keys(resource.columns).filter((column) => column !== 'source_file')
}

/** Returns one batch per variant, with the common columns and those of its fields; without variants, one batch. */
export function shapesOf(
  resource: Resource,
  columnsOf: Readonly<Record<string, readonly string[]>> = {},
): RowBatch[] {
  const special = Object.values(columnsOf).flat()
  if (special.length === 0) return [emptyBatch(null, decodedColumns(resource))]
  const on = resource.variants?.on
  const common = decodedColumns(resource).filter((column) => column !== on && !special.includes(column))
  return Object.entries(columnsOf).map(([variant, columns]) => emptyBatch(variant, [...common, ...columns]))
}
