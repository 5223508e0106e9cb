import { randomUUID } from 'node:crypto'
import Fastify from 'fastify'

/**
 * What Fastify alone costs: it routes a request and does nothing else. GET gives the bytes that PUT left at the same address, with as many
 * headers as a reply of ours, or 304 without a look at the tag to whoever shows one.
 */
const bodies = new Map()

const server = Fastify()
server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
server.removeContentTypeParser(['application/json', 'text/plain'])

server.put('/*', (request, reply) => {
  bodies.set(request.url, request.body)
  reply.code(204).send()
})

server.get('/*', (request, reply) => {
  const tag = request.headers['if-none-match']
  if (tag !== undefined) {
    reply.code(304).header('ETag', tag).send()
    return
  }
  reply.headers({
    'X-Request-Id': randomUUID(),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'X-Frame-Options': 'DENY',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Ledgerlake-Snapshot': 'bzj0dma0ffd0idp2ktq0lor0nee0ooc3qea0ryc0sqb0vlk0ypx0-94dd697a18bd',
    'Cache-Control': 'public, no-cache',
    ETag: '"828utgJ9EFPZTD3pRylvhjeMAi2"',
    'Server-Timing': 'lake;dur=0.06;desc="log"',
    'Content-Type': 'application/json; charset=utf-8',
    Vary: 'accept-encoding',
  })
  reply.send(bodies.get(request.url))
})

await server.listen({ host: '127.0.0.1', port: 0 })
console.log(`listens at http://127.0.0.1:${server.server.address().port}/`)
