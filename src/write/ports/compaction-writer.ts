import type { RowRange } from '../../catalog/query/plan.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { FileToRead } from '../../lake/facts/data-file.ts'

/** Merges many files into few, and sums their rows for comparison. */
export interface CompactionWriter {
  /** Writes row ranges of files one after the other as one file. */
  copyRanges(
    resource: Resource,
    files: readonly FileToRead[],
    ranges: readonly RowRange[],
    to: string,
  ): Promise<void>
  /** Merges any number of sorted files of a resource into one, in its order, in bounded memory. */
  mergeMany(resource: Resource, files: readonly FileToRead[], to: string): Promise<void>
  /** Counts and hashes the rows of a file. Errors: `lake_damaged`. */
  readContent(resource: Resource, file: FileToRead): Promise<ContentFacts>
  /** Counts the row groups of a file. Errors: `lake_damaged`. */
  countRowGroups(path: string): Promise<number>
  /** Returns true if a file has Bloom filters for binary columns, which DuckDB 1.5 misreads. Errors: `lake_damaged`. */
  hasBinaryFilters(resource: Resource, path: string): Promise<boolean>
}

/** Counts and a digest of the rows of a file; they can be added up over files. */
export interface ContentFacts {
  readonly rows: number
  /** Sum of a hash over all columns of each row. It does not depend on the order or on the files. */
  readonly digest: bigint
  /** Rows that do not come after the row before them. */
  readonly misplaced: number
}
