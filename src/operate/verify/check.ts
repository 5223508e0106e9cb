import type { Resource } from '../../catalog/resource.ts'
import type { DataFile } from '../../lake/facts/data-file.ts'
import type { ContentReader, InspectedFile } from '../../lake/ports/content-reader.ts'
import type { Finding } from './finding.ts'

/** The checks of one file. */
export interface Check {
  /** True if the log or another file names this file, so that its absence is a fault. */
  readonly isNeeded: boolean
  /** Compares the bytes with their checksums. */
  bytes(): Promise<readonly Finding[]>
  /** Compares the content of a sound file with the log and the lake. */
  content?(reader: ContentReader): Promise<readonly Finding[]>
  /** Check of the rows of a data file, batched with those of other files. */
  readonly rows?: RowsCheck
}

/** Comparison of a data file's rows with the log. */
export interface RowsCheck {
  readonly resource: Resource
  readonly file: DataFile
  compare(facts: InspectedFile): readonly Finding[]
  /** Returns the findings if the file cannot be read. */
  failed(error: unknown): readonly Finding[]
}
