import compress from '@fastify/compress'
import type { FastifyInstance } from 'fastify'

/** Shorter replies gain less from it than it costs. */
const SHORTEST_BYTES = 1400

/** Replies in gzip for callers who accept it. Routes that are added before are left alone. */
export function compressReplies(server: FastifyInstance): void {
  server.register(compress, { encodings: ['gzip'], threshold: SHORTEST_BYTES })
}
