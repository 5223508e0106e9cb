import type { Resource } from '../../catalog/resource.ts'
import type { DataFile } from '../../lake/facts/data-file.ts'
import type { ContentReader, InspectedFile } from '../../lake/ports/content-reader.ts'
import type { Finding } from './finding.ts'

/** How one file is checked. */
export interface Check {
  /** True if the log or another file names the file, so that its loss is a fault. */
  readonly isNeeded: boolean
  /** Its bytes, by their checksums. */
  bytes(): Promise<readonly Finding[]>
  /** Compares the content of a sound file with the log and the lake. */
  content?(reader: ContentReader): Promise<readonly Finding[]>
  /** Check of the rows of a data file, batched with those of other files. */
  readonly rows?: RowsCheck
}

/** How the rows of a data file are compared with the log. */
export interface RowsCheck {
  readonly resource: Resource
  readonly file: DataFile
  compare(facts: InspectedFile): readonly Finding[]
  /** When it cannot be read. */
  failed(error: unknown): readonly Finding[]
}
