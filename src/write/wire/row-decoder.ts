import type { Value } from '../../catalog/column.ts'
import type { NetworkId } from '../../catalog/networks.ts'
import type { Resource } from '../../catalog/resource.ts'
import { emptyBatch, type RowBatch } from '../../lake/ports/row-batch.ts'
import type { FramesRead, VisitFrame } from './frames.ts'
import type { BinaryReader } from './reader.ts'

/** Kind and network of an artifact, which its messages do not have. */
export interface MessageOrigin {
  readonly kind: string
  /** The network that the category folder names; undefined in a flat folder. */
  readonly network: NetworkId | undefined
}

/** Turns the messages of one kind of artifact into rows of one resource. */
export interface RowDecoder {
  readonly resource: Resource
  readonly columns: readonly string[]
  /** The values of the last decoded row, one per column; whoever counts the messages fills in the ordinal. */
  readonly values: Value[]
  /** Decodes up to `end` and gives the variant. Throws RowFault, or anything else for a broken file. */
  decode(reader: BinaryReader, end: number, origin: MessageOrigin): string | null
  /**
   * The column that names the network of a row, where artifacts of both networks have the same file names: so it is part
   * of the kind under which one is remembered.
   */
  readonly networkColumn?: string
}

/** Decoder and empty batches for one kind of artifact. */
export interface KindReader {
  readonly decoder: RowDecoder
  readonly shapes: readonly RowBatch[]
  /** Cuts a file into messages; frames unless given. */
  readonly read?: (path: string, visit: VisitFrame) => Promise<FramesRead>
  /** True for records: a file of another kind then has no valid one. */
  readonly isRecords?: true
}

/** Columns that no message carries: the name is added when a file is written, the ordinal is counted. */
export function decodedColumns(resource: Resource): readonly string[] {
  return Object.keys(resource.columns).filter((column) => column !== 'source_file')
}

/** One narrow batch per variant: the columns that all rows have, and those its fields fill; one in all without variants. */
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
