import type { Resource } from '../../catalog/resource.ts'
import type { KeptRecords } from './kept-records.ts'

/** Data files of a lake whose folder is a copy. */
export interface RemoteFiles {
  files(resource: Resource): Promise<readonly ListedFile[]>
  /** Removes data files with their facts. Paths are relative to the table. */
  remove(resource: Resource, paths: readonly string[]): Promise<void>
  /** Kept snapshots, for all copies. */
  readonly kept: KeptRecords
}

export interface ListedFile {
  /** Relative to its table. */
  readonly path: string
  readonly bytes: number
  /** Milliseconds since 1970. */
  readonly changedAt: number
}
