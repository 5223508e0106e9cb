import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { fail } from '../../base/errors.ts'
import { quoted } from '../../base/parameter-text.ts'

const TAG_LENGTH = 27

/** The tag of a text or bytes: a digest. */
export function digestOf(bytes: string | Buffer): string {
  return hash('sha256', bytes, 'base64url').slice(0, TAG_LENGTH)
}

/** The tag of the same representation in gzip. Both are quoted. */
export function compressedTag(quotedTag: string): string {
  return quotedTag.replace(/"$/, '-gzip"')
}

type Conditions = Pick<IncomingHttpHeaders, 'if-match' | 'if-none-match'>

const tagsIn = (list: string) => list.split(',').map((one) => one.trim())

/** The quoted tag of a representation in If-None-Match, plain or with the suffix of compression. Caches may have made it weak. */
export function heldTag(ifNoneMatch: string | undefined, tag: string): string | undefined {
  if (ifNoneMatch === undefined) return undefined
  const plain = `"${tag}"`
  if (ifNoneMatch === plain || ifNoneMatch.trim() === '*') return plain
  const held = tagsIn(ifNoneMatch).map((one) => one.replace(/^W\//, ''))
  return held.find((one) => one === plain || one === compressedTag(plain))
}

/** Whether the conditions of a request can be judged by a tag alone. `*` and If-Match depend on what exists. */
export function isJudgedByTag({ 'if-match': ifMatch, 'if-none-match': ifNoneMatch }: Conditions): boolean {
  return ifMatch === undefined && ifNoneMatch?.trim() !== '*'
}

/** Whether the response is 304, before anything is looked up. */
export function isHeld({ headers }: FastifyRequest, tag: string): boolean {
  return isJudgedByTag(headers) && heldTag(headers['if-none-match'], tag) !== undefined
}

/**
 * Evaluates the conditions of a GET or HEAD for a representation that exists: returns the quoted tag of a 304, or undefined.
 * Errors: `precondition_failed`. Source: RFC 9110, 13.1.1 and 13.2.2.
 */
export function heldUnlessExcluded({ headers }: FastifyRequest, tag: string): string | undefined {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = headers
  const plain = `"${tag}"`
  // If-Match compares strongly, so a weak tag never matches.
  const isMatched = (one: string) => one === '*' || one === plain || one === compressedTag(plain)
  if (ifMatch !== undefined && !tagsIn(ifMatch).some(isMatched))
    fail('precondition_failed', `If-Match is ${quoted(ifMatch)}; the ETag is ${plain} now.`)
  return heldTag(ifNoneMatch, tag)
}
