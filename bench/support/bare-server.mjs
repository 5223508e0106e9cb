import { createServer } from 'node:http'

/**
 * The ceiling: node:http and nothing else. GET gives the bytes that PUT left at the same address, or 304 without a look at
 * the tag to whoever shows one.
 */
const bodies = new Map()

const server = createServer((request, response) => {
  if (request.method === 'PUT') {
    const chunks = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      bodies.set(request.url, Buffer.concat(chunks))
      response.writeHead(204).end()
    })
    return
  }
  const body = bodies.get(request.url)
  const tag = request.headers['if-none-match']
  if (tag !== undefined) {
    response.writeHead(304, { etag: tag }).end()
    return
  }
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
  })
  response.end(body)
})

server.listen(0, '127.0.0.1', () => console.log(`listens at http://127.0.0.1:${server.address().port}/`))
