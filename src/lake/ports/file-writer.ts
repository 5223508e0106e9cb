import type { Value } from '../../catalog/column.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { Chunk } from '../facts/chunk.ts'
import type { FileToRead } from '../facts/data-file.ts'
import type { Group } from '../facts/source.ts'

/** What every file goes through before it is committed. */
export interface FileWriter {
  /**
   * Splits a file that has more chunks than are read fast into files that follow each other, each at a new path; gives
   * their paths, or that of the file as it is.
   */
  split(resource: Resource, path: string, newPath: () => Promise<string>): Promise<readonly string[]>
  /** Reads a written file back, column by column. */
  inspect(resource: Resource, file: FileToRead): Promise<FileFacts>
}

/** What a file says when it is read back. */
export interface FileFacts {
  readonly rows: number
  readonly sources: readonly SourceFacts[]
  readonly columns: Readonly<Record<string, ColumnFacts>>
  /** None for a resource without `access`. */
  readonly chunks: readonly Chunk[]
}

export interface SourceFacts {
  readonly source_file: string
  readonly rows: number
  /** One per period and type when the table has statistics; otherwise none. */
  readonly groups: readonly GroupFacts[]
}

/** A group, and the positions of its first and last row in the file. */
export interface GroupFacts extends Group {
  readonly first: number
  readonly last: number
}

export interface ColumnFacts {
  readonly nulls: number
  /** Null when the column has no values, or values without an order worth keeping. */
  readonly least: Value
  readonly most: Value
}
