import type { FastifyInstance } from 'fastify'
import { digestOf, heldTag } from '../answers/tag.ts'
import { varyBy } from './vary.ts'

/**
 * Gives every successful GET a strong tag, and answers 304 to who has those bytes. Answers out of the lake bring a tag
 * that follows from the request; the tag of anything else is a digest of its bytes.
 */
export function tagReplies(server: FastifyInstance): void {
  server.addHook('onSend', (request, reply, payload, done) => {
    const isBytes = typeof payload === 'string' || Buffer.isBuffer(payload)
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (!isBytes || !isRead || reply.statusCode !== 200) return done(null, payload)
    if (reply.hasHeader('ETag')) return done(null, payload)
    const tag = digestOf(payload)
    const held = heldTag(request.headers['if-none-match'], tag)
    reply.header('ETag', held ?? `"${tag}"`)
    if (held === undefined) return done(null, payload)
    reply.code(304).removeHeader('Content-Length').removeHeader('Content-Type')
    done(null, null)
  })
}

/** Says to caches what they may keep: what has no say of its own is asked for anew, and a failure is not kept. */
export function tellCaches(server: FastifyInstance): void {
  server.addHook('onSend', (request, reply, payload, done) => {
    if (reply.statusCode === 200 || reply.statusCode === 304) varyBy(reply, 'accept-encoding')
    if (!reply.hasHeader('Cache-Control')) {
      const isForOne = request.headers.authorization !== undefined
      const kept = isForOne ? 'private, no-cache' : 'no-cache'
      reply.header('Cache-Control', reply.statusCode < 400 ? kept : 'no-store')
    }
    done(null, payload)
  })
}

/** Compressed bytes have a tag of their own. Comes after compression, which alone knows whether it compresses. */
export function tagCompressed(server: FastifyInstance): void {
  server.addHook('onRoute', (route) => {
    const before = [route.onSend ?? []].flat()
    route.onSend = [
      ...before,
      (_request, reply, payload, done) => {
        const tag = reply.getHeader('ETag')
        const isCompressed = reply.hasHeader('Content-Encoding')
        if (typeof tag === 'string' && isCompressed) reply.header('ETag', tag.replace(/"$/, '-gzip"'))
        done(null, payload)
      },
    ]
  })
}
