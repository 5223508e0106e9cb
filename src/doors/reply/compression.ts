import compress from '@fastify/compress'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { compressedTag } from './entity-tag.ts'

/** Compressing shorter responses costs more than it saves. */
export const SHORTEST_BYTES = 1400

/** Parquet is not listed: its pages are compressed. */
const COMPRESSIBLE = /^text\/|[+/](x-nd)?json(;|$)|[+/]xml(;|$)|arrow\.stream(;|$)/

/** Compresses responses of routes that are added afterwards. */
export function compressReplies(server: FastifyInstance): void {
  server.register(compress, { encodings: ['gzip'], threshold: SHORTEST_BYTES, customTypes: COMPRESSIBLE })
}

/** Calls `observe` for every response after compression, which has a hook on each route. */
export function afterCompression(
  server: FastifyInstance,
  observe: (request: FastifyRequest, reply: FastifyReply, payload: unknown) => void,
): void {
  server.addHook('onRoute', (route) => {
    route.onSend = [
      ...[route.onSend ?? []].flat(),
      (request, reply, payload, done) => {
        observe(request, reply, payload)
        done(null, payload)
      },
    ]
  })
}

/** Sets a separate ETag on compressed responses. */
export function tagCompressed(server: FastifyInstance): void {
  afterCompression(server, (_request, reply) => {
    if (!reply.hasHeader('content-encoding')) return
    const tag = reply.getHeader('etag')
    if (typeof tag === 'string') reply.header('etag', compressedTag(tag))
  })
}
