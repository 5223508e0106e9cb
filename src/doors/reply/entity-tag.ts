import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { fail } from '../../base/errors.ts'
import { quoted } from '../../base/parameter-text.ts'

const TAG_LENGTH = 27

/** Computes an ETag from the bytes, without quotes. */
export function tagOf(bytes: string | Buffer): string {
  return hash('sha256', bytes, 'base64url').slice(0, TAG_LENGTH)
}

/** Returns the ETag of the same representation in gzip. Both are quoted. */
export function compressedTag(quotedTag: string): string {
  return quotedTag.replace(/"$/, '-gzip"')
}

type Conditions = Pick<IncomingHttpHeaders, 'if-match' | 'if-none-match'>

const tagsIn = (list: string) => list.split(',').map((tag) => tag.trim())

/** Finds the quoted tag in If-None-Match, with or without the gzip suffix. Caches may have made it weak. */
export function matchingTag(ifNoneMatch: string | undefined, tag: string): string | undefined {
  if (ifNoneMatch === undefined) return undefined
  const plain = `"${tag}"`
  if (ifNoneMatch === plain || ifNoneMatch.trim() === '*') return plain
  const tags = tagsIn(ifNoneMatch).map((candidate) => candidate.replace(/^W\//, ''))
  return tags.find((candidate) => candidate === plain || candidate === compressedTag(plain))
}

/** Returns true if the tag alone decides the conditions of a request. `*` and If-Match need the representation to exist. */
export function isDecidedByTag({ 'if-match': ifMatch, 'if-none-match': ifNoneMatch }: Conditions): boolean {
  return ifMatch === undefined && ifNoneMatch?.trim() !== '*'
}

/** Returns true if the response is 304, before anything is read. */
export function isNotModified({ headers }: FastifyRequest, tag: string): boolean {
  return isDecidedByTag(headers) && matchingTag(headers['if-none-match'], tag) !== undefined
}

/**
 * Evaluates the conditions of a GET or HEAD for an existing representation. Returns the quoted tag of a 304, or undefined.
 * Errors: `precondition_failed`. Source: RFC 9110, 13.1.1 and 13.2.2.
 */
export function evaluateConditions({ headers }: FastifyRequest, tag: string): string | undefined {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = headers
  const plain = `"${tag}"`
  // If-Match compares strongly, so a weak tag never matches.
  const isMatch = (candidate: string) =>
    candidate === '*' || candidate === plain || candidate === compressedTag(plain)
  if (ifMatch !== undefined && !tagsIn(ifMatch).some(isMatch))
    fail('precondition_failed', `If-Match is ${quoted(ifMatch)}; the ETag is ${plain} now.`)
  return matchingTag(ifNoneMatch, tag)
}
