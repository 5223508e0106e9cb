import { pipeline, Readable } from 'node:stream'
import { createGzip, gzip, gzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { acceptsGzip } from './accept.ts'
import { compressedTag } from './entity-tag.ts'
import { isWhole, type WholeBody } from './representation.ts'
import { varyBy } from './vary.ts'

/** Compressing shorter responses costs more than it saves. */
export const SHORTEST_BYTES = 1400

/** Longer bodies are compressed by another thread. */
const MOST_AT_ONCE = 8192

/** Parquet is not listed: its pages are compressed. */
const COMPRESSIBLE = /^text\/|[+/](x-nd)?json(;|$)|[+/]xml(;|$)|arrow\.stream(;|$)/

/** Compresses responses of routes that are added afterwards, if the client accepts gzip, and gives them a separate ETag. */
export function compressReplies(server: FastifyInstance): void {
  server.addHook('onSend', (_request, reply, payload, done) => {
    const isStream = payload instanceof Readable
    const isLong = isWhole(payload) && Buffer.byteLength(payload) >= SHORTEST_BYTES
    if (!(isStream || isLong) || !isCompressed(reply)) return done(null, payload)
    varyBy(reply, 'accept-encoding').header('content-encoding', 'gzip').removeHeader('content-length')
    const tag = reply.getHeader('etag')
    if (typeof tag === 'string') reply.header('etag', compressedTag(tag))
    if (isStream) done(null, compressStream(payload))
    else compressWhole(payload, done)
  })
}

/** HEAD has the headers of the response without compression, and Content-Range counts its bytes. */
function isCompressed(reply: FastifyReply): boolean {
  const { headers, method } = reply.request
  return (
    method !== 'HEAD' &&
    acceptsGzip(headers) &&
    headers['x-no-compression'] === undefined &&
    !reply.hasHeader('content-encoding') &&
    !reply.hasHeader('content-range') &&
    COMPRESSIBLE.test(String(reply.getHeader('content-type')))
  )
}

/** Fastify logs the errors of a stream, and destroys it if the client leaves. */
function compressStream(body: Readable): Readable {
  return pipeline(body, createGzip(), () => {})
}

function compressWhole(body: WholeBody, done: (error: Error | null, packed?: Buffer) => void): void {
  if (body.length > MOST_AT_ONCE) gzip(body, done)
  else done(null, gzipSync(body))
}
