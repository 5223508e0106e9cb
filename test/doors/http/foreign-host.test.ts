import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { beforeAll, expect, it } from 'vitest'
import type { ServerOptions } from '../../../src/doors/build-server.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { buildTestServer } from '../../support/servers/build-test-server.ts'
import { gatedServer } from '../../support/servers/gated-server.ts'
import { sharingOf } from '../../support/servers/sharing.ts'

let lake: string

beforeAll(async () => {
  lake = await smallLake()
})

async function listenWith(options: Partial<ServerOptions>) {
  const { server } = await buildTestServer(lake, 60_000, undefined, { ...options, ...sharingOf(lake) })
  return await listen(server)
}

/** The first line and the body of the reply to a request for a path that names a host. */
async function listen(server: Awaited<ReturnType<typeof buildTestServer>>['server']) {
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  return async (host: string, path = '/v1/net/l2/makers', method = 'GET') => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(`${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    const reply = await text(socket)
    return { status: Number(reply.split(' ')[1]), body: reply.split('\r\n\r\n')[1] }
  }
}

it('a local server accepts its own names and IP addresses, and no other Host', async () => {
  const ask = await listenWith({
    isForOneMachine: true,
    origins: ['https://app.example'],
    outside: { origin: 'https://api.example.org', basePath: '' },
  })
  for (const host of [
    'localhost',
    'LOCALHOST:8080',
    '127.0.0.1',
    '127.0.0.1:80',
    '[::1]:8080',
    '10.0.0.7',
    'app.example',
    'api.example.org:443',
  ])
    expect([host, (await ask(host)).status]).toEqual([host, 200])
  for (const host of [
    'evil.example',
    'evil.example:8080',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'a',
    '',
  ])
    expect([host, (await ask(host)).status]).toEqual([host, 421])
})

it('a request with a foreign Host gets an error with advice on every route', async () => {
  const ask = await listenWith({ isForOneMachine: true })
  const doors = [
    '/',
    '/docs',
    '/healthz',
    '/metrics',
    '/openapi.json',
    '/graphql?query={__typename}',
    '/guide',
    '/nothing',
  ]
  for (const path of [...doors, '/delta-sharing/shares', '/v1/net/status', '/v1/net/search?q=a'])
    expect([path, (await ask('evil.example', path)).status]).toEqual([path, 421])
  expect((await ask('evil.example', '/mcp', 'POST')).status).toBe(421)
  expect((await ask('evil.example', '/v1/net/l2/makers', 'OPTIONS')).body).toBe(
    '{"error":"This server is for its own machine, and Host names another. Ask it by localhost or by its address, or start it with --public-url.","code":"malformed_request"}',
  )
})

it('a public server and a server with keys accept any Host', async () => {
  const ask = await listenWith({})
  expect((await ask('api.example.org')).status).toBe(200)
  const { test } = await gatedServer(lake, { options: { isForOneMachine: true } })
  expect((await (await listen(test.server))('api.example.org')).status).toBe(401)
})
