import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { closeSilentConnections, finishConnections } from '../../../src/cli/serving/connections.ts'
import { openRequestCounter } from '../../../src/doors/http/open-requests.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { buildTestServer } from '../../support/servers/build-test-server.ts'

it('a stop answers requests that have arrived and wait in the queue', async () => {
  const { server } = await buildTestServer(await smallLake())
  const answering = openRequestCounter(server)
  const counts: number[] = []
  let stopping: Promise<void> | undefined
  server.addHook('onRequest', async () => {
    await setImmediate()
    counts.push(answering())
    stopping ??= closeSilentConnections(server.server, answering)
  })
  await server.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write('GET /v1/net/l2/makers HTTP/1.1\r\nHost: here\r\n\r\n'.repeat(4))
  expect((await text(socket)).split('HTTP/1.1 200 OK')).toHaveLength(5)
  await stopping
  expect(counts).toEqual([4, 3, 2, 1])
})

describe('an idle keep-alive connection', () => {
  async function idle() {
    const { server } = await buildTestServer(await smallLake())
    const answering = openRequestCounter(server)
    await server.listen({ port: 0, host: '127.0.0.1' })
    const ask = async () => {
      const socket = connect((server.server.address() as AddressInfo).port, '127.0.0.1')
      socket.write('GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n')
      await once(socket, 'data')
      return socket
    }
    return { server, answering, ask }
  }

  it('does not delay the stop of a server', async () => {
    const { server, answering, ask } = await idle()
    const socket = await ask()
    const ended = once(socket, 'close')
    await Promise.all([server.close(), closeSilentConnections(server.server, answering), ended])
    expect(server.server.listening).toBe(false)
  })

  it('is closed by a retiring worker after its next response, or after a long idle time', async () => {
    const { server, ask } = await idle()
    const asking = await ask()
    server.server.keepAliveTimeout = 20
    const silent = await ask()
    const retired = finishConnections(server.server)
    const ended = [once(asking, 'close'), once(silent, 'close')]
    asking.write('GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n')
    expect(String(await once(asking, 'data'))).toMatch(/\r\nConnection: close\r\n/i)
    await Promise.all([...ended, retired])
  })
})
