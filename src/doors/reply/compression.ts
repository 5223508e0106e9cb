import compress from '@fastify/compress'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { compressedTag } from './entity-tag.ts'

/** Compressing shorter replies costs more than it saves. */
export const SHORTEST_BYTES = 1400

/** Media types that get smaller; the pages of a Parquet file are compressed already. */
const COMPRESSIBLE = /^text\/|[+/](x-nd)?json(;|$)|[+/]xml(;|$)|arrow\.stream(;|$)/

/** Replies in gzip for callers who accept it. Routes that are added before are left alone. */
export function compressReplies(server: FastifyInstance): void {
  server.register(compress, { encodings: ['gzip'], threshold: SHORTEST_BYTES, customTypes: COMPRESSIBLE })
}

/** Calls `see` for every reply after compression, which has a hook on each route. */
export function whenSent(
  server: FastifyInstance,
  see: (request: FastifyRequest, reply: FastifyReply, payload: unknown) => void,
): void {
  server.addHook('onRoute', (route) => {
    route.onSend = [
      ...[route.onSend ?? []].flat(),
      (request, reply, payload, done) => {
        see(request, reply, payload)
        done(null, payload)
      },
    ]
  })
}

/** Compressed bytes have a tag of their own; only after compression is it known whether they are. */
export function tagCompressed(server: FastifyInstance): void {
  whenSent(server, (_request, reply) => {
    if (!reply.hasHeader('content-encoding')) return
    const tag = reply.getHeader('etag')
    if (typeof tag === 'string') reply.header('etag', compressedTag(tag))
  })
}
