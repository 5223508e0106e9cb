import type { Resource } from '../catalog/resource.ts'
import type { ChunkedFile } from './chunk.ts'
import type { FileToRead } from './data-file.ts'

/** Writes sorted copies. */
export interface CopiesWriter {
  /**
   * Writes the rows of files that have a value in `column` once more, in the order of `resource`, as files of a folder
   * that follow each other. With `firstRow` each different row once, with the number of the first like it in its file, the least
   * where there are several, in the column of that name.
   */
  sortInto(
    resource: Resource,
    column: string,
    files: readonly FileToRead[],
    folder: string,
    firstRow?: string,
  ): Promise<readonly ChunkedFile[]>
}
