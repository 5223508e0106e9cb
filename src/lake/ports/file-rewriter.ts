import type { Resource } from '../../catalog/resource.ts'
import type { FileToRead, StoredFile } from '../facts/data-file.ts'

/** Writes a file anew with fewer rows or with more; order and columns stay. */
export interface FileRewriter {
  /** Copies a file of a resource without the rows of the named sources. */
  copyWithout(resource: Resource, from: StoredFile, sourceNames: readonly string[], to: string): Promise<void>
  /**
   * Writes the rows of two files of a resource as one, in its order, in bounded memory.
   * Errors: `lake_damaged` when both have the same row.
   */
  merge(resource: Resource, file: FileToRead, arriving: string, to: string): Promise<void>
}
