import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { mostConnections } from '../../../src/cli/serving/open-files.ts'
import { limitConnections } from '../../../src/doors/http/connection-limit.ts'
import { createHttpServer } from '../../../src/doors/http/http-server.ts'
import { waitFor } from '../../support/wait.ts'

/** A server with so many connections at most; it answers /now at once, and keeps the responses to other requests. */
async function limited(most: number) {
  const waiting: ServerResponse[] = []
  const server = createHttpServer(30_000, ({ url }, response) => {
    if (url === '/now') response.end('now')
    else waiting.push(response)
  })
  const load = limitConnections(server, most)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  async function open(): Promise<Socket> {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
    await once(socket, 'connect')
    return socket
  }
  async function ask(path: string): Promise<Socket> {
    const socket = await open()
    socket.write(`GET ${path} HTTP/1.1\r\nHost: here\r\n\r\n`)
    return socket
  }
  return { waiting, load, ask, open }
}

const textOf = async (socket: Socket) => String((await once(socket, 'data'))[0])

it('a connection above the limit is closed and counted, and open connections are answered', async () => {
  const { waiting, load, ask } = await limited(3)
  const first = [await ask('/later'), await ask('/later'), await ask('/later')]
  await waitFor(() => expect(waiting.length).toBe(3))
  const refused = await ask('/now')
  await once(refused.resume(), 'close')
  expect([refused.bytesRead, load()]).toEqual([0, { open: 3, most: 3, refused: 1 }])
  for (const response of waiting) response.end('later')
  for (const socket of first) expect(await textOf(socket)).toContain('later')
})

it('idle connections are closed for new ones near the limit, and working connections stay', async () => {
  const { waiting, load, ask } = await limited(20)
  const working = await ask('/later')
  const idle = await Promise.all(Array.from({ length: 16 }, () => ask('/now')))
  await Promise.all(idle.map(textOf))
  const gone = idle.map((socket) => once(socket.resume(), 'close'))
  // The eighteenth is nine tenths of twenty.
  expect(await textOf(await ask('/now'))).toContain('now')
  await Promise.all(gone)
  expect(load()).toEqual({ open: 2, most: 20, refused: 0 })
  waiting[0]?.end('later')
  expect(await textOf(working)).toContain('later')
})

it('connections that were silent for a second are closed for new ones near the limit', async () => {
  const { waiting, load, ask, open } = await limited(20)
  const working = await ask('/later')
  const silent = await Promise.all(Array.from({ length: 19 }, open))
  await waitFor(() => expect([load().open, waiting.length]).toEqual([20, 1]))
  const gone = silent.map((socket) => once(socket.resume(), 'close'))
  const now = performance.now.bind(performance)
  const later = vi.spyOn(performance, 'now').mockImplementation(() => now() + 2000)
  onTestFinished(() => later.mockRestore())
  // The first one is refused, since the limit is reached, and makes room for the next one.
  await once((await open()).resume(), 'close')
  await Promise.all(gone)
  expect(await textOf(await ask('/now'))).toContain('now')
  waiting[0]?.end('later')
  expect(await textOf(working)).toContain('later')
})

it('three quarters of the remaining open files are for connections', () => {
  expect(mostConnections({ limit: 1024, open: 224 })).toBe(600)
  expect(mostConnections({ limit: 65_536, open: 536 })).toBe(48_750)
  expect(mostConnections(undefined)).toBeUndefined()
  expect(() => mostConnections({ limit: 256, open: 240 })).toThrow(
    'This process may have 256 files open and has 240, which leaves too few for connections. ' +
      'Raise the limit: ulimit -n 1024, or LimitNOFILE= in the unit of the service.',
  )
})
