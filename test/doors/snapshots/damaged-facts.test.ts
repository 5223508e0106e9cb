import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { firstLines } from '../../../src/cli/serving/first-lines.ts'
import { specifiedDialect } from '../../../src/doors/dialect/dialect.ts'
import { openLake } from '../../../src/lake/snapshot/lake.ts'
import { readSettings } from '../../../src/services/settings/settings.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { buildTestServer } from '../../support/servers/build-test-server.ts'
import { flipBit, flipFacts } from '../../support/tables/flip-facts.ts'
import { waitFor } from '../../support/wait.ts'

const range = 'from=2025-01-01&to=2025-03-01'

it('a server with damaged facts in all tables but one starts, serves that table, and counts the others in its metrics', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const lake = await smallLake()
  const tables = readdirSync(lake).filter((name) => !name.startsWith('_') && name !== 'makers')
  expect(tables.length).toBe(12)
  for (const table of tables) flipFacts(lake, table)
  const { server } = await buildTestServer(lake)
  const ask = async (url: string) => {
    const { statusCode, body } = await server.inject({ url })
    return [statusCode, body] as const
  }
  for (const path of ['/', '/docs', '/openapi.json', '/llms.txt', '/healthz', '/readyz'])
    expect([path, (await ask(path))[0]]).toEqual([path, 200])
  const [status, metrics] = await ask('/metrics')
  expect(status).toBe(200)
  expect(metrics).toContain('\nledgerlake_unreadable_tables 12\n')
  expect(metrics).toContain('\nledgerlake_rows{table="makers"} ')
  expect(metrics).not.toContain('ledgerlake_rows{table="l1_rewards"}')
  const told = JSON.parse((await ask('/v1/net/status'))[1])
  expect(told.tables.map(({ table }: { table: string }) => table)).toEqual(['makers'])
  expect(told.unreadable.toSorted()).toEqual(tables.toSorted())
  expect((await ask('/v1/net/l2/makers'))[0]).toBe(200)
  for (const list of ['l1/rewards', `l2/iot-reward-shares?${range}`, `l2/mobile-reward-shares?${range}`])
    expect([list, (await ask(`/v1/net/${list}`))[0]]).toEqual([list, 503])
})

it('the printed example requests of a server leave out damaged tables, and are omitted if they cannot be made', async () => {
  const lake = await smallLake()
  flipFacts(lake, 'l1_rewards')
  const current = await (await openLake(lake)).latest()
  const address = { port: 8080, address: '127.0.0.1', family: 'IPv4' }
  const listening = { scheme: 'http', address, isLocked: false, queries: specifiedDialect.queries } as const
  const settings = readSettings({}, { lake })
  const lines = firstLines(settings, { ...listening, current })
  expect(lines.length).toBeGreaterThan(3)
  expect(lines.join('\n')).not.toContain('/l1/rewards')
  const broken = Object.assign(Object.create(current), {
    table() {
      throw new Error('unforeseen')
    },
  })
  expect(firstLines(settings, { ...listening, current: broken })).toEqual([
    `ledgerlake serves ${lake} at http://127.0.0.1:8080/`,
  ])
})

it('a server with a damaged log of one table starts, serves the others, and serves all after the repair', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const lake = await smallLake()
  const entry = join(lake, 'l1_rewards', '_delta_log', '00000000000000000000.json')
  flipBit(entry)
  const { server } = await buildTestServer(lake, 100)
  const statusOf = async (url: string) => (await server.inject({ url })).statusCode
  const [metrics, status] = await Promise.all(
    ['/metrics', '/v1/net/status'].map(async (url) => (await server.inject({ url })).body),
  )
  expect(metrics).toContain('\nledgerlake_unreadable_tables 1\n')
  expect(JSON.parse(status ?? '').unreadable).toEqual(['l1_rewards'])
  expect(await statusOf('/readyz')).toBe(503)
  for (const path of ['/docs', '/v1/net/l2/makers', '/v1/net/l1/transactions'])
    expect([path, await statusOf(path)]).toEqual([path, 200])
  expect(await statusOf('/v1/net/l1/rewards')).toBe(503)
  flipBit(entry)
  await waitFor(async () => expect(await statusOf('/v1/net/l1/rewards')).toBe(200))
  expect(await statusOf('/readyz')).toBe(200)
})
