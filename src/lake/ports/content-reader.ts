import type { RowRange } from '../../catalog/query/plan.ts'
import type { Resource, Row } from '../../catalog/resource.ts'
import type { FileToRead, StoredFile } from '../facts/data-file.ts'
import type { Group } from '../facts/source.ts'
import type { FileRowsReader } from './file-rows-reader.ts'
import type { FileFacts } from './file-writer.ts'

/** Reads and sums the rows of files for comparison with the log and with indexes. */
export interface ContentReader extends FileRowsReader {
  /** Reads files back that lack the same columns; the results have the order of `files`. */
  inspectFiles(resource: Resource, files: readonly FileToRead[]): Promise<readonly InspectedFile[]>
  /** Counts and sums, by group, the rows that have a value in the column by which a table is `keyed`. */
  sumKeyed(resource: Resource, files: readonly FileToRead[]): Promise<readonly KeyedGroup[]>
  /** Counts the rows whose order columns equal those of another row. */
  countTwice(resource: Resource, files: readonly FileToRead[]): Promise<number>
  readonly readStretch: ReadStretch
}

/** Reads a range of rows of one file of a resource: every column, in the order of the file. */
export type ReadStretch = (
  resource: Resource,
  file: StoredFile,
  stretch: Pick<RowRange, 'first' | 'end'>,
) => Promise<readonly Row[]>

export interface InspectedFile extends FileFacts {
  /** Rows that do not come after the row before them. */
  readonly misplaced: number
}

/** Sums are of the amount columns of the table; 0 for a column without values. */
export interface KeyedGroup extends Group {
  readonly source: string
}
