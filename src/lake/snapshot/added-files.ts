import { factsPath } from '../disk/layout.ts'
import { namedFactsIn, SHA256 } from '../facts/file-tags.ts'
import type { AddAction } from '../log/log-actions.ts'

/** A file by its path within its table, and what its bytes must be. */
interface AddedFile {
  readonly path: string
  readonly bytes: number
  /** Empty where another program added the file. */
  readonly sha256: string
}

/** The data file of an `add` entry, and its facts where they are a file of their own. */
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
