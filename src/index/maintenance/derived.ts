import type { ContentReader } from '../../lake/ports/content-reader.ts'
import type { Snapshot, TableSnapshot } from '../../lake/snapshot/snapshot.ts'

/** Files in the state folder that make requests faster. They are derived from a snapshot and can be rebuilt. */
export interface Derived {
  readonly name: string
  /** Names the requests that it makes faster. */
  readonly speedsUp: string
  /** Opens the files of a snapshot; returns the tables with missing files. */
  load(at: Snapshot): Promise<readonly TableSnapshot[]>
  /** Returns whether a file of a snapshot is not open. Opens no file. */
  lacks(at: Snapshot): boolean
  /**
   * Builds the missing files of a snapshot, and removes the scratch folders of killed builders.
   * Errors: the reason of the signal; Error when the folder cannot be written or the lake cannot be read.
   */
  build(at: Snapshot, options?: BuildOptions): Promise<void>
  /** Closes and removes the files of a table. */
  forget(table: TableSnapshot): Promise<void>
  /** Lists the existing files, of any snapshot, for verification. */
  files(at: Snapshot): Promise<readonly DerivedFile[]>
  close?(): void
}

/** A derived file, and its verification. Faults are parts of a sentence. */
export interface DerivedFile {
  readonly path: string
  /** Verifies the checksums. Returns the fault, if any. */
  fault(): Promise<string | undefined>
  /**
   * Compares the rows and sums of an intact file with the lake. Returns the first difference; undefined for a file
   * of another snapshot. Errors: those of the reader.
   */
  difference(reader: ContentReader): Promise<string | undefined>
  /** Removes the file and the files that depend on it. Errors: those of the file system. */
  remove(): Promise<void>
}

export interface BuildOptions {
  /** Receives a sentence at the start of each step. */
  readonly onProgress?: ((sentence: string) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

/** Smaller tables are summed as fast without an index. */
export const WORTHWHILE_ROWS = 10_000

/** The engine searches smaller tables within milliseconds. */
export const WORTH_SEARCHING_ROWS = 1000
