import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { type Json, writeJson } from '../../derive/json-writer.ts'
import { digestOf, heldTag } from './entity-tag.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'
export const HTML_TYPE = 'text/html; charset=utf-8'

/** Text or bytes that can be sent more than once. */
export type Whole = string | Buffer

/** What a route hands over to be sent. */
export interface Representation<Body extends Whole | Readable = Whole | Readable> {
  /** Media type, with its character set. */
  readonly type: string
  readonly body: Body
  /** What it took to find it, as Server-Timing has it. */
  readonly timing?: string
  /** Equal tags are equal bytes. Where nothing says what the body follows from, it is a digest of it. */
  readonly tag?: string
}

export function isWhole(body: unknown): body is Whole {
  return typeof body === 'string' || Buffer.isBuffer(body)
}

/** A value as exact JSON; integers are text for callers who ask for that. */
export function json(value: Json, integersAsText = false): Representation<string> {
  return { type: JSON_TYPE, body: writeJson(value, integersAsText) }
}

/**
 * Sends a representation under the status that the reply has. A successful GET has a strong tag, and callers who have
 * what it stands for are told 304 in place of the body.
 */
export function send(reply: FastifyReply, { type, body, timing, tag }: Representation): FastifyReply {
  const { method, headers } = reply.request
  if (reply.statusCode === 200 && (method === 'GET' || method === 'HEAD')) {
    const own = tag ?? (isWhole(body) ? digestOf(body) : undefined)
    const held = own && heldTag(headers['if-none-match'], own)
    if (held !== undefined) return reply.code(304).header('ETag', held).send()
    if (own !== undefined) reply.header('ETag', `"${own}"`)
  }
  if (timing !== undefined) reply.header('Server-Timing', timing)
  return reply.type(type).send(body)
}
