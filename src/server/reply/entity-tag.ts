import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

const TAG_LENGTH = 27

/** A tag of what a text or bytes are. */
export function digestOf(bytes: string | Buffer): string {
  return hash('sha256', bytes, 'base64url').slice(0, TAG_LENGTH)
}

/** The tag of the same representation in gzip. Both are quoted. */
export function compressedTag(quotedTag: string): string {
  return quotedTag.replace(/"$/, '-gzip"')
}

/**
 * The one of a tag and its compressed form that a caller has, quoted; undefined if it has neither. A cache may have made
 * it a weak one. `*` asks whether there is anything, which a tag does not know.
 */
export function heldTag(ifNoneMatch: string | undefined, tag: string): string | undefined {
  if (ifNoneMatch === undefined) return undefined
  const plain = `"${tag}"`
  if (ifNoneMatch === plain) return plain
  const compressed = compressedTag(plain)
  const held = ifNoneMatch.split(',').map((one) => one.trim().replace(/^W\//, ''))
  return held.find((one) => one === plain || one === compressed)
}

/** Whether a caller has what this tag stands for. */
export function isHeld({ headers }: FastifyRequest, tag: string): boolean {
  return heldTag(headers['if-none-match'], tag) !== undefined
}
