import type { Resource } from '../../catalog/resource.ts'
import type { FileToRead } from '../facts/data-file.ts'
import type { Group } from '../facts/source.ts'
import type { FileRowsReader } from './file-rows-reader.ts'
import type { FileFacts } from './file-writer.ts'

/** Sums up rows, so that those of one place can be compared with those of another. */
export interface ContentReader extends FileRowsReader {
  /** What files say that lack the same columns, in the order given. */
  inspectFiles(resource: Resource, files: readonly FileToRead[]): Promise<readonly InspectedFile[]>
  /** The rows of files together. */
  sumContent(resource: Resource, files: readonly FileToRead[]): Promise<ContentSum>
  /** Counts and sums of the rows that have a value in the column by which a table is `keyed`, by group. */
  sumKeyed(resource: Resource, files: readonly FileToRead[]): Promise<readonly KeyedGroup[]>
  /** Rows of files that have the place of another one in the order of their table. */
  countTwice(resource: Resource, files: readonly FileToRead[]): Promise<number>
}

export interface InspectedFile extends FileFacts {
  /** Rows that do not come after the row before them. */
  readonly misplaced: number
}

export interface ContentSum {
  readonly rows: number
  /** Sum of a hash of each row, every column of it: the same for the same rows in any order and any files. */
  readonly digest: bigint
}

/** Sums are of the amount columns of the table; 0 for one without values. */
export interface KeyedGroup extends Group {
  readonly source: string
}
