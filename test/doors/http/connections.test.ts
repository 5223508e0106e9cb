import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { ServerOptions } from '../../../src/doors/build-server.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { type GatedServer, gatedServer } from '../../support/servers/gated-server.ts'

let lake: string

beforeAll(async () => {
  lake = await smallLake()
})

const makers = '/v1/net/l2/makers'

interface Listening extends GatedServer {
  /** A connection that has sent these bytes. */
  send(bytes: string): Promise<Socket>
  /** The server's end of the connection that was made last. */
  accepted(): Socket
  /** Questions that reached the engine, and how many of them were given up. */
  readonly asked: { makers: number; givenUp: number }
}

/** A server on a port; rows of makers never come. */
async function listening(options: Partial<ServerOptions>): Promise<Listening> {
  const asked = { makers: 0, givenUp: 0 }
  const around = (engine: Engine): Engine => ({
    ...engine,
    rows: (plan, at, signal) => {
      if (plan.resource.name !== 'makers') return engine.rows(plan, at, signal)
      asked.makers += 1
      return new Promise((_, reject) => {
        signal?.addEventListener('abort', () => {
          asked.givenUp += 1
          reject(signal.reason)
        })
      })
    },
  })
  const gated = await gatedServer(lake, { around, options })
  const { server } = gated.test
  let last: Socket | undefined
  server.server.on('connection', (socket: Socket) => {
    last = socket
  })
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  const send = async (bytes: string) => {
    const socket = connect(port, '127.0.0.1')
    onTestFinished(() => {
      socket.destroy()
    })
    socket.on('error', () => {})
    await once(socket, 'connect')
    socket.write(bytes)
    return socket
  }
  const accepted = () => last as Socket
  return { ...gated, send, accepted, asked }
}

const get = (path: string, key: string) =>
  `GET ${path} HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer ${key}\r\n\r\n`

const halfOfQuery = (key: string) =>
  `POST /graphql HTTP/1.1\r\nHost: here\r\nAuthorization: Bearer ${key}\r\n` +
  'Content-Type: application/json\r\nContent-Length: 20\r\n\r\n{"query"'

describe('pipelined requests behind a slow one', () => {
  it('do not start, and take no slot and no quota', async () => {
    const { send, newKey, ask, asked } = await listening({ mostRequests: 2 })
    const key = await newKey({ quotaPer30Days: 2 })
    const paths = [1, 2, 3].map((size) => `${makers}?per_page=${size}`)
    const socket = await send(paths.map((path) => get(path, key)).join(''))
    while (asked.makers < 1) await setTimeout(5)
    const during = await ask('/graphql?query={status}', key)
    expect([during.status, during.headers['ledgerlake-quota-remaining']]).toEqual([200, '0'])
    expect((await ask('/graphql?query={status}', key)).status).toBe(402)
    socket.destroy()
    while (asked.givenUp < 1) await setTimeout(5)
    expect((await ask('/graphql?query={status}', key)).status).toBe(200)
    expect(asked).toEqual({ makers: 1, givenUp: 1 })
  })
})

describe('a connection that keeps sending header lines and does not read', () => {
  it('is closed at the timeout of a request', async () => {
    const { send, accepted } = await listening({ requestTimeoutMs: 100 })
    const socket = await send('GET /healthz HTTP/1.1\r\n')
    const sending = setInterval(() => socket.write('X-Slow: 1\r\n'), 50)
    onTestFinished(() => clearInterval(sending))
    await once(accepted(), 'close', { signal: AbortSignal.timeout(10_000) })
    expect(socket.bytesWritten).toBeGreaterThan(50)
  })
})

describe('a body that does not arrive', () => {
  it('takes no request slot', async () => {
    const { send, newKey, ask } = await listening({ mostRequests: 1 })
    const key = await newKey()
    await send(halfOfQuery(key))
    await setTimeout(50)
    expect((await ask('/graphql?query={status}', key)).status).toBe(200)
  })

  it('gets 408 after the request timeout', async () => {
    const { send, newKey } = await listening({ requestTimeoutMs: 200 })
    const reply = await text(await send(halfOfQuery(await newKey())))
    const [head = '', body = ''] = reply.split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
    expect(head).toContain('\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n')
    expect(JSON.parse(body)).toEqual({
      error: 'The request took too long to arrive.',
      code: 'malformed_request',
    })
  })
})
