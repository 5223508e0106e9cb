import type { Resource } from '../../catalog/resource.ts'
import type { DataFile } from '../../lake/facts/data-file.ts'
import type { ContentReader, InspectedFile } from '../../lake/ports/content-reader.ts'
import type { Finding } from './finding.ts'

/** How one file is checked. */
export interface Check {
  /** Whether something names the file, so that it is a fault when it is gone. */
  readonly isNeeded: boolean
  /** Its bytes, by their checksums. */
  bytes(): Promise<readonly Finding[]>
  /** What it says, against the log and the lake; asked of a file whose bytes are sound. */
  content?(reader: ContentReader): Promise<readonly Finding[]>
  /** The same of a data file, whose rows are read together with those of others. */
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
