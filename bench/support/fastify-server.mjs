import Fastify from 'fastify'

/**
 * Fastify and nothing else: GET gives the bytes that PUT left at the same address, with the headers that are given as JSON in
 * the first argument.
 */
const headers = JSON.parse(process.argv[2] ?? '{}')
const bodies = new Map()
const app = Fastify()

app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
app.removeContentTypeParser('application/json')

app.put('/*', async (request, reply) => {
  bodies.set(request.url, request.body)
  return reply.code(204).send()
})

app.get('/*', async (request, reply) => {
  reply.headers(headers)
  return bodies.get(request.url)
})

await app.listen({ host: '127.0.0.1', port: 0 })
console.log(`listens at http://127.0.0.1:${app.server.address().port}/`)
process.once('SIGTERM', () => process.exit(0))
