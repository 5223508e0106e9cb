import compress from '@fastify/compress'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/** Shorter replies gain less from it than it costs. */
const SHORTEST_BYTES = 1400

/** Replies in gzip for callers who accept it. Routes that are added before are left alone. */
export function compressReplies(server: FastifyInstance): void {
  server.register(compress, { encodings: ['gzip'], threshold: SHORTEST_BYTES })
}

/** Whether a reply of these bytes will be sent in gzip. */
export function isCompressed({ headers }: FastifyRequest, payload: string | Buffer): boolean {
  return (
    Buffer.byteLength(payload) >= SHORTEST_BYTES &&
    /(^|[\s,])(gzip|\*)($|[\s,;])/.test(headers['accept-encoding'] ?? '')
  )
}
