import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runProgram } from '../../support/servers/run-program.ts'
import { openSecured, trusted } from '../../support/trino/secured-lake.ts'

let of: Awaited<ReturnType<typeof openSecured>>
beforeAll(async () => {
  of = await openSecured()
})

/** Registers the lake by the program, since Node reads NODE_EXTRA_CA_CERTS as it starts. */
const register = async (server: string, env: Readonly<Record<string, string>>) =>
  of.unsaid(await runProgram(['trino', 'register', ...of.asked(server)], { cwd: of.lake, env }))

/** What arrives at a port without TLS. */
const inTheClear: IncomingMessage['headers'][] = []
const plain = createServer((request, response) => {
  inTheClear.push(request.headers)
  response.writeHead(404).end()
}).listen(0, '127.0.0.1')
const plainAddress = () => `http://127.0.0.1:${(plain.address() as AddressInfo).port}`
beforeAll(async () => {
  if (!plain.listening) await once(plain, 'listening')
})
afterAll(() => plain.close())

it('trino register connects by HTTPS with a password and the certificate authority of the environment', async () => {
  const { server, statements } = await of.openCluster()
  const { code, stdout } = await register(server, trusted)
  expect([code, stdout]).toEqual([0, expect.stringContaining('lake.default.iot_reward_shares registered at')])
  expect(statements.length).toBeGreaterThan(3)
  for (const { headers } of statements)
    expect(headers).toMatchObject({ 'x-trino-user': 'reader', 'x-trino-source': 'ledgerlake' })
})

it('trino register names NODE_EXTRA_CA_CERTS if the certificate is not trusted', async () => {
  const { server } = await of.openCluster()
  const { code, stderr } = await register(server, {
    LEDGERLAKE_TRINO_PASSWORD: trusted.LEDGERLAKE_TRINO_PASSWORD,
  })
  expect([code, stderr]).toEqual([
    4,
    expect.stringMatching(/name the file of the authority with NODE_EXTRA_CA_CERTS\. Trino says: UNABLE_TO_/),
  ])
})

it('trino register sends no password without TLS, even if a response links there or a proxy is set', async () => {
  inTheClear.length = 0
  const elsewhere = await of.openCluster({ goesOnAt: plainAddress() })
  const { code, stderr } = await register(elsewhere.server, trusted)
  expect([code, stderr]).toEqual([4, expect.stringContaining('http-server.process-forwarded=true')])
  const { server } = await of.openCluster()
  const proxy = plainAddress()
  const behind = await register(server, {
    ...trusted,
    HTTPS_PROXY: proxy,
    https_proxy: proxy,
    NO_PROXY: '',
  })
  expect(behind.code).toBe(0)
  expect(inTheClear).toEqual([])
  const { code: refused, stderr: words } = await register(proxy, trusted)
  expect([refused, words]).toEqual([2, expect.stringContaining('a password is sent over https alone')])
  expect(inTheClear).toEqual([])
})
