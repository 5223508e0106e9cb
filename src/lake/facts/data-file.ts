import type { Chunk } from './chunk.ts'
import type { SourceInFile } from './source.ts'

/** An immutable Parquet file. Columns that it lacks were added to its table later, and read as null. */
export interface StoredFile {
  readonly path: string
  readonly lacks: readonly string[]
}

/** A file to read; a path alone if it has every column of its resource. */
export type FileToRead = string | StoredFile

export const pathOf = (file: FileToRead): string => (typeof file === 'string' ? file : file.path)
export const lacksOf = (file: FileToRead): readonly string[] => (typeof file === 'string' ? [] : file.lacks)

/** A data file of a table, with its facts from the log. */
export interface DataFile extends StoredFile {
  /** Value of the partition column; null in a table without partitions. */
  readonly partition: string | null
  readonly bytes: number
  readonly rows: number
  readonly sha256: string
  readonly sources: readonly SourceInFile[]
  readonly chunks: readonly Chunk[]
}
