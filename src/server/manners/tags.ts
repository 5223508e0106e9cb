import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { isKnown } from '../answers/tag.ts'
import { isCompressed } from './compression.ts'

/**
 * Gives every successful GET a strong tag, and answers 304 to who has those bytes. Answers out of the lake bring a tag
 * that follows from the request; the tag of anything else is a digest of its bytes. Compressed bytes have another one.
 */
export function tagReplies(server: FastifyInstance): void {
  server.addHook('onSend', (request, reply, payload, done) => {
    const isBytes = typeof payload === 'string' || Buffer.isBuffer(payload)
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (!isBytes || !isRead || reply.statusCode !== 200) return done(null, payload)
    const own = reply.getHeader('ETag')
    const tag = typeof own === 'string' ? own.slice(1, -1) : digestOf(payload)
    reply.header('ETag', isCompressed(request, payload) ? `"${tag}-gzip"` : `"${tag}"`)
    if (own !== undefined || !isKnown(request.headers['if-none-match'], tag)) return done(null, payload)
    reply.code(304).removeHeader('Content-Length').removeHeader('Content-Type')
    done(null, '')
  })
}

function digestOf(payload: string | Buffer): string {
  return createHash('sha256').update(payload).digest('base64url').slice(0, 27)
}
