import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Lake } from '../../../src/lake/lake.ts'
import { iotReward, makeLake } from '../../support/make-lake.ts'
import { runProgram, startServing } from '../../support/run-program.ts'
import { authorityFile, type FakeTrino, openFakeTrino, rowsReply } from '../../support/trino/fake-trino.ts'

const account = { user: 'reader', password: 'hush:ü' }
const trusted = { NODE_EXTRA_CA_CERTS: authorityFile, LEDGERLAKE_TRINO_PASSWORD: account.password }

let lake: string
let committed: Map<string, number>
beforeAll(async () => {
  const share = iotReward('2025-01-31', 1, { beacon_amount: 7n })
  lake = (await makeLake({ 'iot/iot_reward_share.1.gz': [share] })).folder
  const { tables } = await new Lake(lake).latest()
  committed = new Map(tables.map(({ resource, committedAt }) => [resource.name, committedAt]))
})

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

/** A cluster with TLS and a password that has the tables of the lake. */
async function openSecure(more: { readonly goesOnAt?: string } = {}): Promise<FakeTrino> {
  const answer = (sql: string) => {
    const [, table = ''] = /"(\w+)\$history"/.exec(sql) ?? []
    if (table !== '') return rowsReply(['at'], [String(committed.get(table))])
    return sql.startsWith('SHOW') ? rowsReply(['Table']) : rowsReply(['count'], [1])
  }
  return await openFakeTrino(answer, { isSecure: true, account, ...more })
}

const asked = (server: string) => ['--lake', lake, '--trino-server', server, '--trino-user', account.user]

async function register(server: string, env: Readonly<Record<string, string>>) {
  const { code, stdout, stderr } = await runProgram(['trino', 'register', ...asked(server)], {
    ...{ cwd: lake, env },
  })
  expect(stdout + stderr).not.toContain(account.password)
  return { code, stdout, stderr }
}

it('asks a cluster by HTTPS with a password, where the environment names the authority of its certificate', async () => {
  const { server, statements } = await openSecure()
  const { code, stdout } = await register(server, trusted)
  expect([code, stdout]).toEqual([0, expect.stringContaining('lake.default.iot_reward_shares registered at')])
  expect(statements.length).toBeGreaterThan(3)
  for (const { headers } of statements)
    expect(headers).toMatchObject({ 'x-trino-user': 'reader', 'x-trino-source': 'ledgerlake' })
})

it('names the settings when the password is wrong, and the status in the words of the cluster', async () => {
  const { server, statements } = await openSecure()
  const { code, stderr } = await register(server, { ...trusted, LEDGERLAKE_TRINO_PASSWORD: 'guessed' })
  expect([code, stderr]).toEqual([
    4,
    expect.stringMatching(/check --trino-user and LEDGERLAKE_TRINO_PASSWORD\. Trino says: .*status code 401/),
  ])
  expect(stderr).not.toContain('guessed')
  expect(statements).toEqual([])
})

it('names NODE_EXTRA_CA_CERTS when nobody it trusts has signed the certificate', async () => {
  const { server } = await openSecure()
  const { code, stderr } = await register(server, { LEDGERLAKE_TRINO_PASSWORD: account.password })
  expect([code, stderr]).toEqual([
    4,
    expect.stringMatching(/name the file of its authority by NODE_EXTRA_CA_CERTS\. Trino says: UNABLE_TO_/),
  ])
})

it('says that a port without TLS has none', async () => {
  const { code, stderr } = await register(plainAddress().replace('http:', 'https:'), trusted)
  expect([code, stderr]).toEqual([
    4,
    expect.stringContaining('EPROTO: what listens at --trino-server does not'),
  ])
})

it('sends no password without TLS, though replies go on there or a proxy is set', async () => {
  inTheClear.length = 0
  const elsewhere = await openSecure({ goesOnAt: plainAddress() })
  const { code, stderr } = await register(elsewhere.server, trusted)
  expect([code, stderr]).toEqual([4, expect.stringContaining('http-server.process-forwarded=true')])
  const { server } = await openSecure()
  const proxy = plainAddress()
  const behind = await register(server, { ...trusted, HTTPS_PROXY: proxy, https_proxy: proxy, NO_PROXY: '' })
  expect(behind.code).toBe(0)
  expect(inTheClear).toEqual([])
  const { code: refused, stderr: words } = await register(proxy, trusted)
  expect([refused, words]).toEqual([2, expect.stringContaining('a password is sent over https alone')])
  expect(inTheClear).toEqual([])
})

it('serves 503 with the settings when the password is wrong, and tells the log why', async () => {
  const { server } = await openSecure()
  const env = { ...trusted, LEDGERLAKE_TRINO_PASSWORD: 'guessed' }
  const flags = ['--port', '0', '--engine', 'trino', ...asked(server)]
  const serving = await startServing(flags, { cwd: lake, env })
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
