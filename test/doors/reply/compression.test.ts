import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { Readable } from 'node:stream'
import { gunzipSync } from 'node:zlib'
import Fastify, { type FastifyReply, type InjectOptions } from 'fastify'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { compressReplies } from '../../../src/doors/reply/compression.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { sharingOf, tables } from '../../support/servers/sharing.ts'
import { waitFor } from '../../support/wait.ts'

const days = 'from=2025-01-28&to=2025-02-01'
const list = `/v1/net/l2/iot-reward-shares?${days}`
const query = '{iotRewardShares(first:100){nodes{id hotspotKey}}}'
const page = { accept: 'text/html,application/xhtml+xml' }

interface Kind {
  readonly what: string
  readonly request: InjectOptions
  readonly type: RegExp
  readonly coding?: 'gzip'
  /** True if its response is the same each time. */
  readonly isLasting?: true
}

const JSON_TYPE = /^application\/json/
const byGet = (text: string) => `/graphql?query=${encodeURIComponent(text)}`
const lasting = { coding: 'gzip', isLasting: true } as const
const manyNames = Array.from({ length: 60 }, (_, number) => `a_wrong_name_${number}`)

const kinds: readonly Kind[] = [
  { what: 'a page of a list', request: { url: `${list}&per_page=100` }, type: JSON_TYPE, ...lasting },
  { what: 'totals', request: { url: list.replace('?', '/totals?') }, type: JSON_TYPE },
  { what: 'a query by GET', request: { url: byGet(query) }, type: JSON_TYPE, ...lasting },
  {
    what: 'a query by POST',
    request: { method: 'POST', url: '/graphql', payload: { query } },
    ...{ type: JSON_TYPE, coding: 'gzip' },
  },
  {
    what: 'a query in the newer media type',
    request: { url: byGet(query), headers: { accept: 'application/graphql-response+json' } },
    ...{ type: /^application\/graphql-response\+json/, ...lasting },
  },
  { what: 'a file of CSV', request: { url: `${list}&format=csv` }, type: /^text\/csv/, ...lasting },
  { what: 'JSON lines', request: { url: `${list}&format=ndjson` }, type: /\/x-ndjson/, ...lasting },
  { what: 'a file of Arrow', request: { url: `${list}&format=arrow` }, type: /arrow\.stream$/, ...lasting },
  { what: 'a file of Parquet', request: { url: `${list}&format=parquet` }, type: /parquet$/ },
  { what: 'a short page', request: { url: '/', headers: page }, type: /^text\/html/ },
  { what: 'a guide', request: { url: '/guide/asking', headers: page }, type: /^text\/html/, ...lasting },
  { what: 'the OpenAPI document', request: { url: '/openapi.json' }, type: JSON_TYPE, ...lasting },
  { what: 'the text for models', request: { url: '/llms.txt' }, type: /^text\/plain/, ...lasting },
  {
    what: 'a shared table',
    request: { url: `${tables}/makers/metadata` },
    ...{ type: /^application\/x-ndjson/, coding: 'gzip' },
  },
  {
    what: 'an error of many parameters',
    request: { url: `${list}&${manyNames.join('=1&')}=1` },
    ...{ type: JSON_TYPE, coding: 'gzip' },
  },
  {
    what: 'an error of a query',
    request: { url: byGet(`{${manyNames.join(' ')}}`) },
    ...{ type: JSON_TYPE, ...lasting },
  },
  {
    what: 'the error page of a route',
    request: { url: '/v1/net/l2/makers?x=1', headers: page },
    ...{ type: /^text\/html/, coding: 'gzip' },
  },
  {
    what: 'the error page without a route',
    request: { url: '/nowhere', headers: page },
    ...{ type: /^text\/html/ },
  },
  { what: 'the metrics', request: { url: '/metrics' }, type: /^text\/plain/ },
  { what: 'a health check', request: { url: '/healthz' }, type: JSON_TYPE },
]

describe('a response of the server', () => {
  let server: TestServer['server']

  beforeAll(async () => {
    const lake = await smallLake()
    server = (await buildTestServer(lake, 60_000, undefined, sharingOf(lake))).server
  })

  const ask = (request: InjectOptions, headers: Record<string, string>) =>
    server.inject({ ...request, headers: { ...request.headers, ...headers } })
  const gzip = { 'accept-encoding': 'gzip' }

  it.each(kinds)('is compressed by its media type and length: $what', async ({ request, type, coding }) => {
    const plain = await ask(request, {})
    const packed = await ask(request, gzip)
    expect(plain.headers['content-type']).toMatch(type)
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect([packed.statusCode, packed.headers['content-encoding']]).toEqual([plain.statusCode, coding])
    if (coding === undefined) return
    const body = gunzipSync(packed.rawPayload)
    // The page of an error has the id of its request.
    if (plain.statusCode === 200) expect(body).toEqual(plain.rawPayload)
    else expect(body.length).toBe(plain.rawPayload.length)
    expect(packed.headers.etag).toBe(plain.headers.etag?.replace(/"$/, '-gzip"'))
    expect(packed.headers.vary).toMatch(/\baccept-encoding\b/)
    const { 'content-length': length = packed.rawPayload.length } = packed.headers
    expect(Number(length)).toBe(packed.rawPayload.length)
  })

  it.each(kinds.filter(({ request }) => request.method === undefined))(
    'has for HEAD the headers of the response that is not compressed: $what',
    async ({ request }) => {
      const [get, head] = [await ask(request, {}), await ask({ ...request, method: 'HEAD' }, gzip)]
      expect([head.statusCode, head.rawPayload.length]).toEqual([get.statusCode, 0])
      for (const name of ['content-type', 'content-encoding', 'vary', 'cache-control'])
        expect([name, head.headers[name]]).toEqual([name, get.headers[name]])
      // The metrics change with each request.
      if (request.url !== '/metrics') expect(head.headers.etag).toBe(get.headers.etag)
    },
  )

  it.each(kinds.filter(({ isLasting }) => isLasting))(
    'is confirmed by the ETag of either form with 304: $what',
    async ({ request }) => {
      const { headers } = await ask(request, gzip)
      const packed = String(headers.etag)
      expect(packed).toMatch(/-gzip"$/)
      for (const tag of [packed, packed.replace('-gzip', '')]) {
        const reply = await ask(request, { ...gzip, 'if-none-match': tag })
        expect([reply.statusCode, reply.headers.etag, reply.headers['content-encoding']]).toEqual([
          ...[304, tag, undefined],
        ])
      }
    },
  )
})

const long = 'one line of text\n'.repeat(1000)

/** Asks a server with one route for its response. */
async function reply(send: (reply: FastifyReply) => unknown, headers: Record<string, string> = {}) {
  const server = Fastify()
  onTestFinished(() => server.close())
  compressReplies(server)
  server.get('/', (_request, response) => {
    send(response.type('text/plain'))
  })
  return await server.inject({ url: '/', headers: { 'accept-encoding': 'gzip', ...headers } })
}

it.each([
  ['', undefined],
  ['gzip', 'gzip'],
  ['GZip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['*', 'gzip'],
  ['br', undefined],
  ['identity', undefined],
  ['deflate, br;q=1, gzip;q=0.001', 'gzip'],
  ['identity, gzip;q=0.5', 'gzip'],
  ['*;q=0.1', 'gzip'],
  ['*;q=0', undefined],
  ['gzip;q=0', undefined],
  ['gzip; q=0.0, identity', undefined],
  ['gzip;q=0, *', undefined],
  ['*;q=0, gzip', 'gzip'],
])('Accept-Encoding "%s" gets a long response as %s', async (accepted, coding) => {
  const { headers, rawPayload } = await reply((response) => response.send(long), {
    'accept-encoding': accepted,
  })
  expect(headers['content-encoding']).toBe(coding)
  expect((coding ? gunzipSync(rawPayload) : rawPayload).toString()).toBe(long)
})

it.each([
  [1399, undefined],
  [1400, 'gzip'],
  [8192, 'gzip'],
  [8193, 'gzip'],
])('a body of %i bytes has the coding %s', async (bytes, coding) => {
  const body = 'é'.repeat(bytes / 2) + 'a'.repeat(bytes % 2)
  const { headers, rawPayload } = await reply((response) => response.send(body))
  expect([headers['content-encoding'], Number(headers['content-length'])]).toEqual([
    ...[coding, rawPayload.length],
  ])
  expect((coding ? gunzipSync(rawPayload) : rawPayload).toString()).toBe(body)
})

it.each([
  ['has a coding', (response: FastifyReply) => response.header('content-encoding', 'br').send(long)],
  [
    'is a part',
    (response: FastifyReply) => response.code(206).header('content-range', 'bytes 0-9/10').send(long),
  ],
  ['is Parquet', (response: FastifyReply) => response.type('application/vnd.apache.parquet').send(long)],
  ['is gzip', (response: FastifyReply) => response.type('application/gzip').send(long)],
] as const)('a body that %s is sent as it is', async (_what, send) => {
  const { body, headers } = await reply(send)
  expect([body, headers.vary]).toEqual([long, undefined])
})

it.each(['80,1\n', 'x^', 'HK'])('a text that begins like deflate is compressed: %s', async (beginning) => {
  const text = beginning + long
  for (const body of [text, Readable.from([Buffer.from(text)])]) {
    const { headers, rawPayload } = await reply((response) => response.send(body))
    expect(headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(rawPayload).toString()).toBe(text)
  }
})

it('Vary keeps its fields, and names Accept-Encoding once', async () => {
  const fields = await Promise.all(
    ['Accept', 'accept-encoding', 'Origin, Accept-Encoding'].map(async (vary) => {
      const { headers } = await reply((response) => response.header('vary', vary).send(long))
      return headers.vary
    }),
  )
  expect(fields).toEqual(['Accept, accept-encoding', 'accept-encoding', 'Origin, Accept-Encoding'])
})

describe('a compressed stream', () => {
  const PIECES = 4000

  /** Listens with a stream of noise, counting what is read of it. */
  async function serveNoise() {
    const noise = { read: 0, stream: Readable.from([]) }
    async function* pieces() {
      for (; noise.read < PIECES; noise.read += 1) yield randomBytes(65_536)
    }
    const server = Fastify()
    onTestFinished(() => server.close())
    compressReplies(server)
    server.get('/', (_request, response) => {
      noise.stream = Readable.from(pieces(), { objectMode: false })
      return response.type('text/plain').send(noise.stream)
    })
    await server.listen({ port: 0, host: '127.0.0.1' })
    const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1')
    socket.write('GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n')
    await once(socket, 'readable')
    return { noise, socket }
  }

  it('waits for a client that does not read, and ends with it', async () => {
    const { noise, socket } = await serveNoise()
    let before = -1
    await waitFor(async () => {
      const last = before
      before = noise.read
      await new Promise((resolve) => setTimeout(resolve, 50))
      expect(noise.read).toBe(last)
    })
    expect(noise.read).toBeLessThan(PIECES / 4)
    socket.destroy()
    await waitFor(() => expect(noise.stream.destroyed).toBe(true))
  })
})
