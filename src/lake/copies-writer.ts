import type { Resource } from '../catalog/resource.ts'
import type { ChunkedFile } from './chunk.ts'
import type { FileToRead } from './data-file.ts'

/** Writes sorted copies. */
export interface CopiesWriter {
  /**
   * Writes the rows of files that have a value in `column` once more, in the order of `resource`, as files of a folder
   * that follow each other; `isDistinct` leaves out rows that were written already.
   */
  sortInto(
    resource: Resource,
    column: string,
    files: readonly FileToRead[],
    folder: string,
    isDistinct: boolean,
  ): Promise<readonly ChunkedFile[]>
}
