import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { specifiedDialect } from '../../src/doors/dialect/dialect.ts'
import { relay } from '../../src/doors/dialect/relay.ts'
import { copySmallLake } from '../support/lakes/small-lake.ts'
import { buildTestServer } from '../support/servers/build-test-server.ts'
import { type RelayError, relayClient } from '../support/servers/relay-client.ts'
import { relayTour } from '../support/servers/relay-tour.ts'
import { runMain } from '../support/servers/run-main.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Callers with keys, of a server with the dialect of the hosted service and of one without. */

const shares = '/l2/iot-reward-shares'
const range = { from: '2025-01-28', to: '2025-02-01' }

let cwd: string
let hosted: string
let plain: string

beforeAll(async () => {
  cwd = await temporaryFolder()
  await copySmallLake(join(cwd, 'lake'))
  await addKey('the first')
  hosted = await serving(relay)
  plain = await serving(specifiedDialect)
})

/** The address of a server that looks for keys every 20 ms. */
async function serving(dialect: typeof relay): Promise<string> {
  const { spelling } = dialect
  const { server } = await buildTestServer(join(cwd, 'lake'), 20, undefined, { dialect }, { spelling })
  return await server.listen({ host: '127.0.0.1', port: 0 })
}

const run = (...args: string[]) => runMain(args, { cwd })

async function addKey(name: string, ...flags: string[]): Promise<string> {
  const { code, stdout } = await run('keys', 'add', '--name', name, '--lake', 'lake', ...flags)
  expect(code).toBe(0)
  return stdout.trimEnd().split('\n').at(-1) ?? ''
}

/** A key that both servers know by now. */
async function knownKey(name: string, ...flags: string[]): Promise<string> {
  const key = await addKey(name, ...flags)
  for (const server of [hosted, plain]) {
    // There is no such hotspot: the key is checked, and no quota is used.
    while ((await ask(`${server}/v1/net/l2/hotspots/nobody`, `Bearer ${key}`)).status === 401)
      await setTimeout(20)
  }
  return key
}

const ask = (address: string, authorization: string) => fetch(address, { headers: { authorization } })

/** The error that a caller gets. */
async function raised(asked: Promise<unknown>): Promise<Pick<RelayError, 'status' | 'code' | 'message'>> {
  const { status, code, message } = await asked.then(
    () => expect.unreachable(),
    (error: RelayError) => error,
  )
  return { status, code, message }
}

describe('with keys, a client of the hosted service', () => {
  it('reads all that its key allows', async () => {
    const client = relayClient(`${hosted}/v1`, await knownKey('everything'))
    const said: string[] = []
    for await (const line of relayTour(client)) said.push(line)
    expect(said).toHaveLength(20)
    expect(said.filter((line) => / error \d/.test(line))).toEqual([])
  })

  it.each([undefined, 'nobodys'])('gets 401 when its key is %s', async (key) => {
    const error = await raised(relayClient(`${hosted}/v1`, key).find('/l2/makers', 'x'))
    expect(error).toMatchObject({ status: 401, code: 'authentication_required' })
    expect(error.message).toContain('Send your API key as `Authorization: Bearer <key>`.')
  })

  it.each(['Bearer', 'Token', ''])(
    'may write %j before its key; without --compat relay only Bearer is accepted',
    async (word) => {
      const key = await knownKey(`a key after ${JSON.stringify(word)}`)
      const header = `${word} ${key}`.trim()
      expect((await ask(`${hosted}/v1/net/l2/makers`, header)).status).toBe(200)
      expect((await ask(`${plain}/v1/net/l2/makers`, header)).status).toBe(word === 'Bearer' ? 200 : 401)
    },
  )

  it('gets 401 for a feature that its key lacks; otherwise it would be 403', async () => {
    const key = await knownKey('no totals', '--features', 'HotspotData,OracleData')
    const error = await raised(relayClient(`${hosted}/v1`, key).totals(shares, range))
    expect(error).toMatchObject({ status: 401, code: 'feature_not_available' })
    expect(error.message).toContain('Aggregates')
    const asked = `${plain}/v1/net${shares}/totals?${new URLSearchParams(range)}`
    const reply = await ask(asked, `Bearer ${key}`)
    expect([reply.status, await reply.json()]).toEqual([
      403,
      { error: error.message, code: 'feature_not_available' },
    ])
  })
})
