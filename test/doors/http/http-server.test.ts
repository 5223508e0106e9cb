import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createHttpServer } from '../../../src/doors/http/http-server.ts'

/** Connections to a server with this listener, and the server's ends of them. */
async function connections(count: number, listener: RequestListener, requestTimeoutMs = 30_000) {
  const server = createHttpServer(requestTimeoutMs, listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const accepted: Socket[] = []
  server.on('connection', (socket: Socket) => accepted.push(socket))
  const sockets = await Promise.all(
    Array.from({ length: count }, async () => {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => {})
      await once(socket, 'connect')
      return socket
    }),
  )
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  while (accepted.length < count) await new Promise(setImmediate)
  return { server, sockets, accepted, first: accepted[0] as Socket }
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: here\r\n\r\n`

/** The bodies that a connection gets, as soon as there are so many. */
async function bodiesOf(socket: Socket, count: number): Promise<readonly string[]> {
  let received = ''
  for await (const chunk of socket) {
    received += chunk
    const bodies = [...received.matchAll(/<(.*?)>/g)].map(([, body = '']) => body)
    if (bodies.length >= count) return bodies
  }
  return []
}

describe('many requests that arrive at once', () => {
  const MANY = 200
  /** Keeps the thread for a moment, as a query does that is being parsed. */
  function busy(): void {
    const end = performance.now() + 1
    while (performance.now() < end);
  }

  it('are all answered', async () => {
    const begun: string[] = []
    const { sockets } = await connections(MANY, (request, response) => {
      busy()
      begun.push(request.url ?? '')
      response.end('<>')
    })
    for (const [index, socket] of sockets.entries()) socket.write(get(`/${index}`))
    await Promise.all(sockets.map((socket) => bodiesOf(socket, 1)))
    expect(new Set(begun).size).toBe(MANY)
  })

  it.each(['is open already', 'is new'])(
    'do not delay a connection that requests /healthz and %s',
    async (which) => {
      let begun = 0
      let before: number | undefined
      const { sockets, first } = await connections(MANY + 1, (request, response) => {
        if (request.url === '/healthz') before = begun
        else {
          busy()
          begun += 1
        }
        response.end('<>')
      })
      const open = sockets.pop() as Socket
      for (const sender of sockets) sender.write(get('/page'))
      while (begun === 0) await new Promise(setImmediate)
      const other = which === 'is new' ? connect(first.localPort as number, '127.0.0.1') : open
      other.write(get('/healthz'))
      await bodiesOf(other, 1)
      expect(before).toBeLessThan(MANY / 2)
      await Promise.all(sockets.map((sender) => bodiesOf(sender, 1)))
      expect(begun).toBe(MANY)
    },
  )

  it('are not started after their connection has ended', async () => {
    let begun = 0
    const { sockets, accepted } = await connections(MANY, (_request, response) => {
      busy()
      begun += 1
      response.end('<>')
    })
    for (const sender of sockets) sender.write(get('/page'))
    while (begun === 0) await new Promise(setImmediate)
    for (const sender of sockets) sender.destroy()
    while (!accepted.every(({ destroyed }) => destroyed)) await new Promise(setImmediate)
    await new Promise(setImmediate)
    expect(begun).toBeLessThan(MANY / 2)
  })
})

describe('pipelined requests', () => {
  const echo: RequestListener = (request, response) => response.end(`<${request.url}>`)

  it('are answered in their order', async () => {
    const { sockets } = await connections(1, echo)
    const [socket] = sockets as [Socket]
    const paths = Array.from({ length: 200 }, (_, index) => `/${index}`)
    socket.write(paths.map(get).join(''))
    expect(await bodiesOf(socket, 200)).toEqual(paths)
  })

  it('do not delay other connections', async () => {
    let begun = 0
    const { sockets } = await connections(11, (_request, response) => {
      begun += 1
      response.end(`<${begun}>`)
    })
    const other = sockets.pop() as Socket
    for (const sender of sockets) sender.write(get('/page').repeat(200))
    other.write(get('/healthz'))
    const [before] = await bodiesOf(other, 1)
    other.destroy()
    expect(Number(before)).toBeLessThan(100)
  })

  it.each([
    [257, false],
    [258, true],
  ])('%i on one connection close it: %s', async (count, isClosed) => {
    const release: (() => void)[] = []
    const { sockets, first } = await connections(1, (request, response) => {
      if (release.length > 0) return echo(request, response)
      release.push(() => echo(request, response))
    })
    const [socket] = sockets as [Socket]
    socket.write(get('/').repeat(count))
    if (isClosed) await once(first, 'close', { signal: AbortSignal.timeout(10_000) })
    else {
      while (release.length === 0) await new Promise(setImmediate)
      release[0]?.()
      expect(await bodiesOf(socket, count)).toHaveLength(count)
    }
    expect(first.destroyed).toBe(isClosed)
  })

  it('are not started after their connection has ended', async () => {
    let begun = 0
    const { sockets, first } = await connections(1, () => {
      begun += 1
    })
    const [socket] = sockets as [Socket]
    socket.write(get('/').repeat(3))
    while (begun === 0) await new Promise(setImmediate)
    socket.destroy()
    await once(first, 'close')
    await new Promise(setImmediate)
    expect(begun).toBe(1)
  })
})

describe('a response that the client does not read', () => {
  const LARGE = 'x'.repeat(32 * 2 ** 20)

  it('is aborted, and its connection is closed', async () => {
    const { sockets, first } = await connections(1, (_request, response) => response.end(LARGE), 100)
    const [socket] = sockets as [Socket]
    socket.pause()
    socket.write(get('/'))
    await once(first, 'close', { signal: AbortSignal.timeout(10_000) })
    expect(socket.bytesRead).toBeLessThan(LARGE.length)
  })

  it('is distinguished from a response that starts late', async () => {
    const { sockets } = await connections(
      1,
      (_request, response) => setTimeout(() => response.end('<late>'), 300),
      100,
    )
    const [socket] = sockets as [Socket]
    socket.write(get('/'))
    expect(await bodiesOf(socket, 1)).toEqual(['late'])
  })
})

describe('a connection without further requests', () => {
  it('is kept for 72 s after its reply, and then closed', async () => {
    const { server, sockets, first } = await connections(1, (_request, response) => response.end('<>'))
    expect(server.keepAliveTimeout).toBe(72_000)
    server.keepAliveTimeout = 20
    const [socket] = sockets as [Socket]
    socket.write(get('/'))
    await once(first, 'close', { signal: AbortSignal.timeout(10_000) })
    expect(socket.bytesRead).toBeGreaterThan(0)
  })
})
