import type { RowRange } from '../../catalog/query/plan.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { FileToRead } from '../facts/data-file.ts'

/** Makes few files of many, and sums up their rows for comparison. */
export interface CompactionWriter {
  /** Writes the rows of ranges of the files given one after the other as one file. */
  copyRanges(
    resource: Resource,
    files: readonly FileToRead[],
    ranges: readonly RowRange[],
    to: string,
  ): Promise<void>
  /** Writes the rows of any number of sorted files of a resource as one, in its order, in bounded memory. */
  mergeMany(resource: Resource, files: readonly FileToRead[], to: string): Promise<void>
  /** What the rows of a file are together. Errors: `lake_damaged`. */
  readContent(resource: Resource, file: FileToRead): Promise<ContentFacts>
  /** Row groups of a file. Errors: `lake_damaged`. */
  countRowGroups(path: string): Promise<number>
  /** Whether a file has Bloom filters for binary columns, which DuckDB 1.5 misreads. Errors: `lake_damaged`. */
  hasBinaryFilters(resource: Resource, path: string): Promise<boolean>
}

/** What the rows of a file are together; it can be added up over files. */
export interface ContentFacts {
  readonly rows: number
  /** Sum of a hash of each row, every column of it; the same for the same rows in any order and any files. */
  readonly digest: bigint
  /** Rows that do not come after the row before them. */
  readonly misplaced: number
}
