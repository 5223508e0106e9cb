import type { CompactionWriter } from '../lake/compaction-writer.ts'
import type { ContentReader } from '../lake/content-reader.ts'
import type { FileWriter } from '../lake/file-writer.ts'
import type { StretchReader } from '../lake/open-rejects.ts'
import type { Finding } from './finding.ts'

/** What reads rows; only files whose bytes are sound are given to it. */
export type RowReader = Pick<FileWriter, 'inspect'> &
  Pick<CompactionWriter, 'readContent'> &
  ContentReader &
  StretchReader

/** How one file is checked. */
export interface Check {
  /** Whether something names the file, so that it is a fault when it is gone. */
  readonly isNeeded: boolean
  /** Its bytes, by their checksums. */
  bytes(): Promise<readonly Finding[]>
  /** What it says, against the log and the lake; asked of a file whose bytes are sound. */
  content?(reader: RowReader): Promise<readonly Finding[]>
}
