import { fail } from '../../base/errors.ts'
import type { Resource } from '../../catalog/resource.ts'
import { type Facts, readFacts } from './facts.ts'
import { TagFault } from './tag-fault.ts'

/** Tags of an `add` entry. */
type Tags = Readonly<Record<string, string>> | undefined

/** Digest and size of a facts file, from a tag. */
export interface NamedFacts {
  /** SHA-256 of its bytes, hex. */
  readonly digest: string
  readonly bytes: number
}

/** Name of the tag with the SHA-256 of a file. */
export const SHA256 = 'ledgerlake.sha256'
/** Digest and length of the facts file: `3f9a… 812`. */
const FACTS = 'ledgerlake.facts'
// Before data format 3 the tags had the facts themselves.
const SOURCES = 'ledgerlake.sources'
const CHUNKS = 'ledgerlake.chunks'

export function writeTags(sha256: string, { digest, bytes }: NamedFacts): Record<string, string> {
  return { [SHA256]: sha256, [FACTS]: `${digest} ${bytes}` }
}

/** Returns undefined if the tags have the facts themselves, or another program wrote them. */
export function namedFactsIn(tags: Tags): NamedFacts | undefined {
  const [, digest, bytes] = /^([0-9a-f]{64}) (\d{1,9})$/.exec(tags?.[FACTS] ?? '') ?? []
  return digest === undefined ? undefined : { digest, bytes: Number(bytes) }
}

/**
 * Reads the SHA-256 of a file, and its facts or their digest. Errors: `lake_damaged` if another program added the file.
 */
export function readTags(
  resource: Resource,
  tags: Tags,
  path: string,
): { readonly sha256: string; readonly facts: NamedFacts | Facts } {
  const sha256 = tags?.[SHA256]
  const named = namedFactsIn(tags)
  const sources = tags?.[SOURCES]
  if (sha256 !== undefined && named !== undefined) return { sha256, facts: named }
  if (sha256 === undefined || sources === undefined) {
    return fail(
      'lake_damaged',
      `${path} was added without the tags of this program; remove it with what added it.`,
    )
  }
  try {
    const written = { sources: JSON.parse(sources), chunks: JSON.parse(tags?.[CHUNKS] ?? '[]') }
    return { sha256, facts: readFacts(resource, written) }
  } catch (cause) {
    const fault = cause instanceof TagFault ? cause.message : 'they are no JSON of this program'
    return fail(
      'lake_damaged',
      `${path} has damaged tags in the log: ${fault}; restore the log from a copy.`,
      { cause },
    )
  }
}
