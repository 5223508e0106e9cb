import type { Chunk } from './chunk.ts'
import type { SourceInFile } from './source.ts'

/** One immutable Parquet file of a table, and what the log tells about it. */
export interface DataFile {
  readonly path: string
  /** Value of the partition column; null in a table without partitions. */
  readonly partition: string | null
  readonly bytes: number
  readonly rows: number
  readonly sha256: string
  readonly sources: readonly SourceInFile[]
  readonly chunks: readonly Chunk[]
}
