import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'

const TAG_LENGTH = 27

/** The tag of a text or bytes: a digest. */
export function digestOf(bytes: string | Buffer): string {
  return hash('sha256', bytes, 'base64url').slice(0, TAG_LENGTH)
}

/** The tag of the same representation in gzip. Both are quoted. */
export function compressedTag(quotedTag: string): string {
  return quotedTag.replace(/"$/, '-gzip"')
}

/**
 * The tag of If-None-Match that matches, quoted, with or without the suffix of compression; undefined if none does. Caches
 * may have made it a weak one. `*` matches nothing, since whether there is anything is not known before it is looked up.
 */
export function heldTag(ifNoneMatch: string | undefined, tag: string): string | undefined {
  if (ifNoneMatch === undefined) return undefined
  const plain = `"${tag}"`
  if (ifNoneMatch === plain) return plain
  const compressed = compressedTag(plain)
  const held = ifNoneMatch.split(',').map((one) => one.trim().replace(/^W\//, ''))
  return held.find((one) => one === plain || one === compressed)
}

/** Whether If-None-Match names this tag, so that the reply is 304. */
export function isHeld({ headers }: FastifyRequest, tag: string): boolean {
  return heldTag(headers['if-none-match'], tag) !== undefined
}
