import type { ContentReader } from '../../lake/ports/content-reader.ts'
import type { Snapshot, TableSnapshot } from '../../lake/snapshot/snapshot.ts'

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
  /** The files that were built and are there, of any snapshot, to be checked. Opens none that is not asked about. */
  files(at: Snapshot): Promise<readonly DerivedFile[]>
  /** Closes the files that it holds open. */
  close?(): void
}

/** Something built, and how it is checked. What is found is told in a part of a sentence. */
export interface DerivedFile {
  readonly path: string
  /** What is wrong with its bytes by their own checksums; undefined when they are as they were written. */
  fault(): Promise<string | undefined>
  /**
   * In what its rows and sums differ from those of the lake, which is read for that; undefined when they do not, or when
   * it was built for another snapshot. Asked of a file without fault. Errors: those of the reader.
   */
  difference(reader: ContentReader): Promise<string | undefined>
  /** Removes it, and what is of no use without it; `build` then makes it anew. Errors: those of the file system. */
  remove(): Promise<void>
}

export interface BuildOptions {
  /** Called with a sentence for each part that is begun. */
  readonly onProgress?: ((sentence: string) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

/** Tables of fewer rows are summed as fast. */
export const WORTHWHILE_ROWS = 10_000

/** In tables of fewer rows an engine finds some within milliseconds, and nothing has to be built after a commit. */
export const WORTH_SEARCHING_ROWS = 1000
