import type { Snapshot, TableSnapshot } from '../lake/snapshot.ts'

/**
 * The port: something built from a snapshot and kept in the state folder, which makes answers faster and changes none of
 * them. Without its files it is built again.
 */
export interface Derived {
  readonly name: string
  /** What stays slow without it. */
  readonly speedsUp: string
  /** Loads what was built for a snapshot, by any process; returns the tables for which something is missing. */
  load(at: Snapshot): Promise<readonly TableSnapshot[]>
  /** Whether something that a snapshot should have is not loaded. Opens no file. */
  lacks(at: Snapshot): boolean
  /**
   * Builds what is missing for a snapshot, and removes what killed builders left; `load` then finds it.
   * Errors: the reason of the signal; Error when the folder cannot be written or the lake cannot be read.
   */
  build(at: Snapshot, options?: BuildOptions): Promise<void>
  /** Uses what was built for a table no longer, because it cannot be read; it is missing until it is built again. */
  forget(table: TableSnapshot): Promise<void>
  /** Closes the files that it holds open. */
  close?(): void
}

export interface BuildOptions {
  /** Called with a sentence for each part that is begun. */
  readonly onProgress?: ((sentence: string) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

/** Tables of fewer rows are read whole as fast. */
export const WORTHWHILE_ROWS = 10_000
