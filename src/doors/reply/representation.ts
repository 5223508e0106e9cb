import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Unknown } from '../../answers/unknown/unknown.ts'
import { type Json, writeJson } from '../../base/values/json-writer.ts'
import { evaluateConditions, tagOf } from './entity-tag.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'
export const HTML_TYPE = 'text/html; charset=utf-8'

/** A body that can be sent more than once, unlike a stream. */
export type WholeBody = string | Buffer

/** A text that is too long for memory, generated while it is sent. It can be generated again. */
export class LongText {
  readonly pieces: () => Iterable<Uint8Array>

  constructor(pieces: () => Iterable<Uint8Array>) {
    this.pieces = pieces
  }
}

/** Response body of a route with its metadata. */
export interface Representation<Body extends WholeBody | LongText | Readable = WholeBody | Readable> {
  /** Media type with charset. */
  readonly type: string
  readonly body: Body
  /** Server-Timing. */
  readonly timing?: string
  /** Strong ETag without quotes. By default a digest of the body. */
  readonly tag?: string
  /** Set for a list or totals without matching rows. */
  readonly isEmpty?: true | undefined
  /** Rows of a file. */
  readonly rows?: number | undefined
  /** Unknown values in the body. */
  readonly unknown?: Unknown | undefined
}

export function isWhole(body: unknown): body is WholeBody {
  return typeof body === 'string' || Buffer.isBuffer(body)
}

/** Writes exact JSON, with integers as text on request. */
export function jsonBody(value: Json, integersAsText = false): Representation<string> {
  return { type: JSON_TYPE, body: writeJson(value, integersAsText) }
}

/** Sends a representation. A successful GET or HEAD has an ETag, or is 304 if the client has it. */
export function send(reply: FastifyReply, { type, body, timing, tag, rows }: Representation): FastifyReply {
  const { method } = reply.request
  if ((reply.statusCode === 200 || reply.statusCode === 206) && (method === 'GET' || method === 'HEAD')) {
    const etag = tag ?? (isWhole(body) ? tagOf(body) : undefined)
    if (etag !== undefined) {
      const match = notModifiedTag(reply, etag, body)
      if (match !== undefined) return reply.code(304).header('etag', match).send()
      reply.header('etag', `"${etag}"`)
    }
  }
  if (timing !== undefined) reply.header('server-timing', timing)
  if (rows !== undefined) reply.header('ledgerlake-rows', String(rows))
  return reply.type(type).send(body)
}

/** Returns the tag of a 304, and destroys a body that is not sent. Errors: `precondition_failed`. */
function notModifiedTag(reply: FastifyReply, tag: string, body: WholeBody | Readable): string | undefined {
  let match: string | undefined
  try {
    match = evaluateConditions(reply.request, tag)
  } catch (error) {
    // The error must not be cached like the representation.
    reply.removeHeader('cache-control').removeHeader('content-location')
    if (!isWhole(body)) body.destroy()
    throw error
  }
  if (match !== undefined && !isWhole(body)) body.destroy()
  return match
}
