import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Unknown } from '../../answers/rows/unknown.ts'
import { type Json, writeJson } from '../../base/values/json-writer.ts'
import { digestOf, heldUnlessExcluded } from './entity-tag.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'
export const HTML_TYPE = 'text/html; charset=utf-8'

/** A body that can be sent more than once, unlike a stream. */
export type Whole = string | Buffer

/** A text too long for memory, which is made while it is sent. It can be made more than once. */
export class LongText {
  readonly pieces: () => Iterable<Uint8Array>

  constructor(pieces: () => Iterable<Uint8Array>) {
    this.pieces = pieces
  }
}

/** What a route hands over to be sent. */
export interface Representation<Body extends Whole | LongText | Readable = Whole | Readable> {
  /** Media type, with its character set. */
  readonly type: string
  readonly body: Body
  /** The value of Server-Timing. */
  readonly timing?: string
  /** A strong tag without its quotes: equal tags are equal bytes. By default a digest of the body. */
  readonly tag?: string
  /** Set for a list or totals that nothing matches. */
  readonly isEmpty?: true | undefined
  /** Unknown values that the body names. */
  readonly unknown?: Unknown | undefined
}

export function isWhole(body: unknown): body is Whole {
  return typeof body === 'string' || Buffer.isBuffer(body)
}

/** A value as exact JSON; integers are text for callers who ask for that. */
export function json(value: Json, integersAsText = false): Representation<string> {
  return { type: JSON_TYPE, body: writeJson(value, integersAsText) }
}

/**
 * Sends a representation with the status that was set on the reply. A successful GET or HEAD has an ETag, and is 304 without
 * a body for callers who have it.
 */
export function send(reply: FastifyReply, { type, body, timing, tag }: Representation): FastifyReply {
  const { method } = reply.request
  if ((reply.statusCode === 200 || reply.statusCode === 206) && (method === 'GET' || method === 'HEAD')) {
    const own = tag ?? (isWhole(body) ? digestOf(body) : undefined)
    if (own !== undefined) {
      const held = heldOf(reply, own, body)
      if (held !== undefined) return reply.code(304).header('etag', held).send()
      reply.header('etag', `"${own}"`)
    }
  }
  if (timing !== undefined) reply.header('server-timing', timing)
  return reply.type(type).send(body)
}

/** The tag of a 304. Ends a stream that is not sent. Errors: `precondition_failed`. */
function heldOf(reply: FastifyReply, tag: string, body: Whole | Readable): string | undefined {
  let held: string | undefined
  try {
    held = heldUnlessExcluded(reply.request, tag)
  } catch (error) {
    // An error may not be cached as what it is about.
    reply.removeHeader('cache-control').removeHeader('content-location')
    if (!isWhole(body)) body.destroy()
    throw error
  }
  if (held !== undefined && !isWhole(body)) body.destroy()
  return held
}
