import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { relay } from '../../../src/doors/dialect/relay.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { sharingOf, tables } from '../../support/servers/sharing.ts'

let lake: string
let server: TestServer['server']

beforeAll(async () => {
  lake = await smallLake()
  server = (await buildTestServer(lake, 60_000, undefined, sharingOf(lake))).server
})

const series = '/v1/net/l2/iot-reward-shares/totals/series?interval=all&from=2025-01-29&to=2025-02-02'
const MIB = 2 ** 20

const post = (url: string, payload: string, to = server) =>
  to.inject({ method: 'POST', url, payload, headers: { 'content-type': 'application/json' } })

/** A JSON object of so many bytes. */
const bodyOf = (bytes: number) => `{"x":"${'x'.repeat(bytes - 8)}"}`

const sentenceOf = (limit: number) => `The body must have at most ${limit} bytes; send less at once.`

describe('a body of one byte more than the limit', () => {
  it.each([
    ['REST', series, 4 * MIB, { error: sentenceOf(4 * MIB), code: 'body_too_large' }],
    [
      'GraphQL',
      '/graphql',
      MIB,
      { errors: [{ message: sentenceOf(MIB), extensions: { code: 'body_too_large' } }] },
    ],
    [
      'MCP',
      '/mcp',
      MIB,
      {
        jsonrpc: '2.0',
        id: null,
        error: { code: -32000, message: sentenceOf(MIB) },
      },
    ],
    ['sharing', `${tables}/makers/query`, MIB, { errorCode: 'BODY_TOO_LARGE', message: sentenceOf(MIB) }],
  ])(
    'returns 413 with the limit in %s, and a body of the limit does not',
    async (_door, url, limit, body) => {
      const reply = await post(url, bodyOf(limit + 1))
      expect([reply.statusCode, JSON.parse(reply.body)]).toEqual([413, body])
      expect((await post(url, bodyOf(limit))).statusCode).not.toBe(413)
    },
  )

  it('returns 413 with --compat relay', async () => {
    const other = await buildTestServer(lake, 60_000, undefined, { dialect: relay })
    const reply = await post(series, bodyOf(4 * MIB + 1), other.server)
    expect([reply.statusCode, JSON.parse(reply.body)]).toEqual([
      413,
      { code: 'body_too_large', message: sentenceOf(4 * MIB) },
    ])
  })
})

describe('a client that sends its whole body before it reads', () => {
  it('reads the 413', async () => {
    const other = await buildTestServer(lake)
    await other.server.listen({ host: '127.0.0.1', port: 0 })
    const socket = connect((other.server.server.address() as AddressInfo).port, '127.0.0.1')
    const body = Buffer.alloc(16 * MIB, 'x')
    const head = `POST ${series} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject)
      socket.pause()
      socket.write(head)
      socket.write(body, (error) => (error ? reject(error) : resolve()))
    })
    const [reply] = (await once(socket.resume(), 'data')) as [Buffer]
    expect(reply.toString()).toMatch(/^HTTP\/1\.1 413 /)
    socket.destroy()
  })
})

describe('the body of a series', () => {
  it('may have 10,000 keys of 400 bytes, and Ledgerlake-Unknown counts them', async () => {
    const keys = Array.from({ length: 10_000 }, (_, place) => `1${place}`.padEnd(400, 'x'))
    const reply = await post(series, JSON.stringify({ hotspot_keys: keys }))
    expect(reply.statusCode).toBe(200)
    expect(reply.headers['ledgerlake-unknown']).toBe('hotspot_key=10000')
  })
})
