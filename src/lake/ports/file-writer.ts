import type { Value } from '../../catalog/column.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { Chunk } from '../facts/chunk.ts'
import type { FileToRead } from '../facts/data-file.ts'
import type { Group } from '../facts/source.ts'
import type { CheckpointWriter } from '../log/checkpoint.ts'

/** Prepares files for a commit. Every commit needs it. */
export interface FileWriter extends CheckpointWriter {
  /**
   * Splits a file with too many chunks into consecutive files, each at a new path; returns their paths, or the path
   * of the unchanged file.
   */
  split(resource: Resource, path: string, newPath: () => Promise<string>): Promise<readonly string[]>
  /** Reads a written file back, column by column. */
  inspect(resource: Resource, file: FileToRead): Promise<FileFacts>
}

/** Counts, sums and bounds of a file, read back. */
export interface FileFacts {
  readonly rows: number
  readonly sources: readonly SourceFacts[]
  readonly columns: Readonly<Record<string, ColumnFacts>>
  /** Empty for a resource without `access`. */
  readonly chunks: readonly Chunk[]
}

export interface SourceFacts {
  readonly source_file: string
  readonly rows: number
  /** One per period and type when the table has statistics, otherwise empty. */
  readonly groups: readonly GroupFacts[]
}

/** A group, and the positions of its first and last row in the file. */
export interface GroupFacts extends Group {
  readonly first: number
  readonly last: number
}

export interface ColumnFacts {
  readonly nulls: number
  /** Null when the column has no values, or values without a useful order. */
  readonly least: Value
  readonly most: Value
}
