import type { Vector } from '../../base/values/vector.ts'
import type { Value } from '../../catalog/column.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { FileToRead } from '../facts/data-file.ts'

/** Reads the rows of files, as they lie in a file or in another order. */
export interface FileRowsReader {
  /**
   * All rows in their order, some at a time.
   * Errors: Error when rows are missing.
   */
  readFileRows(resource: Resource, file: FileToRead, columns: readonly string[]): AsyncIterable<RowVectors>
  /**
   * The rows of files that have a value in the first column of the order of `resource`, sorted by that order. With `firstRow` each
   * different row once, with the least number of a row like it in its file, in the column of that name.
   * Errors: Error when rows are missing.
   */
  readSortedRows(
    resource: Resource,
    files: readonly FileToRead[],
    firstRow?: string,
  ): AsyncIterable<RowVectors>
}

/** Rows side by side: for each column its values. */
export interface RowVectors {
  readonly rows: number
  readonly columns: Readonly<Record<string, Vector<Value>>>
}
