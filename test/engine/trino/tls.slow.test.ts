import { createServer } from 'node:http'
import { beforeAll, expect, it } from 'vitest'
import { onLoopback } from '../../support/servers/loopback.ts'
import { runProgram, startServing } from '../../support/servers/run-program.ts'
import { openSecured, trusted } from '../../support/trino/secured-lake.ts'

let of: Awaited<ReturnType<typeof openSecured>>
beforeAll(async () => {
  of = await openSecured()
})

/** Registers the lake by the program, since Node reads NODE_EXTRA_CA_CERTS as it starts. */
const register = async (server: string, env: Readonly<Record<string, string>>) =>
  of.unsaid(await runProgram(['trino', 'register', ...of.asked(server)], { cwd: of.lake, env }))

it('trino register names the settings to check if the password is wrong, and quotes the cluster', async () => {
  const { server, statements } = await of.openCluster()
  const { code, stderr } = await register(server, { ...trusted, LEDGERLAKE_TRINO_PASSWORD: 'guessed' })
  expect([code, stderr]).toEqual([
    4,
    expect.stringMatching(/check --trino-user and LEDGERLAKE_TRINO_PASSWORD\. Trino says: .*status code 401/),
  ])
  expect(stderr).not.toContain('guessed')
  expect(statements).toEqual([])
})

it('trino register reports a port without TLS', async () => {
  const { origin } = await onLoopback(createServer((_, response) => response.writeHead(404).end()))
  const { code, stderr } = await register(origin.replace('http:', 'https:'), trusted)
  expect([code, stderr]).toEqual([
    4,
    expect.stringContaining('ERR_SSL_WRONG_VERSION_NUMBER: what listens at --trino-server does not'),
  ])
})

it('a server on Trino returns 503 with a wrong password, and logs the settings to check', async () => {
  const { server } = await of.openCluster()
  const env = { ...trusted, LEDGERLAKE_TRINO_PASSWORD: 'guessed' }
  const flags = ['--port', '0', '--engine', 'trino', ...of.asked(server)]
  const serving = await startServing(flags, { cwd: of.lake, env })
  const reply = await fetch(`${serving.address}/v1/net/l2/iot-reward-shares?from=2025-01-01&to=2025-02-28`)
  const body = await reply.text()
  serving.child.kill('SIGTERM')
  const { stdout, stderr } = await serving.finished
  expect([reply.status, body]).toEqual([
    503,
    expect.stringContaining('check --trino-user and LEDGERLAKE_TRINO_PASSWORD'),
  ])
  expect(stderr).toMatch(/Trino does not answer \(not_ready\): .*401/)
  expect(body + stdout + stderr).not.toContain('guessed')
})
