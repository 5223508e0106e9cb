import type { Vector } from '../../base/values/vector.ts'
import type { Value } from '../../catalog/column.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { FileToRead } from '../facts/data-file.ts'

/** Streams the rows of files, in file order or sorted. */
export interface FileRowsReader {
  /** Streams all rows in file order. Errors: Error when rows are missing. */
  readFileRows(resource: Resource, file: FileToRead, columns: readonly string[]): AsyncIterable<RowVectors>
  /**
   * Streams the rows that have a value in the first order column of `resource`, sorted by that order. With `firstRow`
   * each distinct row comes once, and a column of that name has the lowest row number of its copies in their file.
   * Errors: Error when rows are missing.
   */
  readSortedRows(
    resource: Resource,
    files: readonly FileToRead[],
    firstRow?: string,
  ): AsyncIterable<RowVectors>
  readonly mayBeDamage: MayBeDamage
}

/** Returns true if damaged bytes may have caused an error of a reader, rather than memory or the system. */
export type MayBeDamage = (error: unknown) => boolean

/** A batch of rows, column by column. */
export interface RowVectors {
  readonly rows: number
  readonly columns: Readonly<Record<string, Vector<Value>>>
}
