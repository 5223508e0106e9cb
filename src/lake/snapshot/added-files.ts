import { factsPath } from '../disk/layout.ts'
import { namedFactsIn, SHA256 } from '../facts/file-tags.ts'
import type { AddAction } from '../log/log-actions.ts'

/** A file with the expected size and checksum of its bytes; the path is relative to its table. */
interface AddedFile {
  readonly path: string
  readonly bytes: number
  /** Empty if another program added the file. */
  readonly sha256: string
}

/** Returns the data file of an `add` entry, and its facts file if there is one. */
export function filesAddedBy({ path, size, tags }: AddAction): {
  readonly data: AddedFile
  readonly facts: AddedFile | undefined
} {
  const named = namedFactsIn(tags)
  return {
    data: { path: decodeURIComponent(path), bytes: size, sha256: tags?.[SHA256] ?? '' },
    facts: named && { path: factsPath('', named.digest), bytes: named.bytes, sha256: named.digest },
  }
}
