import { setTimeout } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readSettings } from '../../../src/services/settings/settings.ts'
import { servedSql } from '../../../src/services/sql.ts'
import { aroundRows } from '../../support/around-rows.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { buildTestServer } from '../../support/servers/build-test-server.ts'
import { addressOf, mcpOver } from '../../support/servers/mcp-client.ts'

const endless = 'select count(*) from range(10000000) a, range(10000000) b where (a.range * b.range) % 7 = 3'

async function sqlServer(options: Parameters<typeof buildTestServer>[3] = {}) {
  const lake = await smallLake()
  const settings = readSettings({}, { lake, engine_memory_mb: '256', engine_threads: '1' })
  const sql = servedSql(settings)
  onTestFinished(sql.close)
  return await buildTestServer(lake, 60_000, undefined, { openSql: sql.open, isSqlOpen: true, ...options })
}

describe('a server without keys', () => {
  it('refuses SQL by default', async () => {
    const { server } = await sqlServer({ isSqlOpen: false })
    const { call, names } = await mcpOver(server)
    expect(await names()).not.toContain('sql')
    const { isError, text } = await call('sql', { statement: 'select 1' })
    expect([isError, text.includes('"code":"feature_not_available"')]).toEqual([true, true])
    expect(text).toContain('it does with --open-sql')
  })

  it('answers SQL with --open-sql', async () => {
    const { server } = await sqlServer()
    const { call, names } = await mcpOver(server)
    expect(await names()).toContain('sql')
    expect((await call('sql', { statement: 'select 40 + 2 as n' })).text).toContain('"rows":[["42"]]')
  })
})

describe('a statement', () => {
  it('is interrupted when its client disconnects, and the next one starts', async () => {
    const { server } = await sqlServer({ requestTimeoutMs: 3_600_000 })
    const { call } = await mcpOver(server)
    await call('sql', { statement: 'select 1' })
    const stop = new AbortController()
    const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
    const params = { name: 'sql', arguments: { statement: endless } }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    const request = { method: 'POST', headers, body, signal: stop.signal }
    const asked = fetch(`${await addressOf(server)}/mcp`, request).then(
      () => 'answered',
      () => 'gone',
    )
    await setTimeout(200)
    stop.abort()
    expect(await asked).toBe('gone')
    expect((await call('sql', { statement: 'select 2 as n' })).text).toContain('"rows":[["2"]]')
  })

  it('ends at the request timeout with the error of REST', async () => {
    const { server } = await sqlServer({ requestTimeoutMs: 2000 })
    const { call } = await mcpOver(server)
    // The process that runs statements may take longer to start on a busy machine.
    while ((await call('sql', { statement: 'select 1' })).isError);
    const { isError, text } = await call('sql', { statement: endless })
    expect([isError, text]).toEqual([
      true,
      '{"error":"The answer took longer than the deadline; a shorter range is faster.","code":"deadline_exceeded"}',
    ])
    let after = await call('sql', { statement: 'select 3 as n' })
    while (after.text.includes('deadline_exceeded')) after = await call('sql', { statement: 'select 3 as n' })
    expect(after.text).toContain('"rows":[["3"]]')
  })
})

it('a list is aborted when its client disconnects', async () => {
  let [begun, aborted] = [() => {}, () => {}]
  const isBegun = new Promise<void>((resolve) => {
    begun = resolve
  })
  const isAborted = new Promise<void>((resolve) => {
    aborted = resolve
  })
  const { server } = await buildTestServer(await smallLake(), 60_000, (engine) =>
    aroundRows(engine, async ({ resource }, signal, next) => {
      if (resource.name !== 'l1_accounts') return await next()
      signal?.addEventListener('abort', aborted)
      begun()
      return await new Promise(() => {})
    }),
  )
  const { call, client } = await mcpOver(server)
  const called = call('list', { resource: 'l1_accounts' }).catch(() => 'gone')
  await isBegun
  await client.close()
  await isAborted
  expect(await called).toBe('gone')
})

describe('POST /mcp', () => {
  const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
  const ping = { jsonrpc: '2.0', id: 7, method: 'ping' }

  it('takes a message without a session, and a notification returns 202', async () => {
    const { server } = await buildTestServer(await smallLake())
    const post = (payload: object, more: object = {}) =>
      server.inject({ method: 'POST', url: '/mcp', headers: { ...headers, ...more }, payload })
    const answered = await post(ping)
    expect([answered.statusCode, answered.json()]).toEqual([200, { jsonrpc: '2.0', id: 7, result: {} }])
    expect(answered.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    const told = await post({ jsonrpc: '2.0', method: 'notifications/initialized' })
    expect([told.statusCode, told.body]).toEqual([202, ''])
    expect((await post({ not: 'a message' })).statusCode).toBe(400)
    const got = await server.inject({ method: 'GET', url: '/mcp' })
    expect([got.statusCode, got.headers.allow]).toEqual([405, 'POST, OPTIONS'])
  })

  it('answers a client of revision 2026-07-28 as one of an older revision', async () => {
    const { server } = await buildTestServer(await smallLake())
    const [old, recent] = [await mcpOver(server), await mcpOver(server, undefined, '2026-07-28')]
    expect([old, recent].map(({ client }) => client.getProtocolEra())).toEqual(['legacy', 'modern'])
    expect(await recent.client.listTools()).toMatchObject(await old.client.listTools())
    const totals = { resource: 'iot_reward_shares', from: '2025-01-28', to: '2025-02-01' }
    for (const [name, given] of [
      ['status', {}],
      ['totals', totals],
      ['totals', {}],
    ] as const)
      expect(await recent.call(name, given)).toEqual(await old.call(name, given))
  })

  it('returns 403 to pages of other origins unless they are configured', async () => {
    const asked = async (origins: readonly string[], origin: string) => {
      const { server } = await buildTestServer(await smallLake(), 60_000, undefined, { origins })
      const reply = await server.inject({
        method: 'POST',
        url: '/mcp',
        headers: { ...headers, origin },
        payload: ping,
      })
      return reply.statusCode
    }
    expect(await asked([], 'https://example.org')).toBe(403)
    expect(await asked(['https://example.com'], 'https://example.org')).toBe(403)
    expect(await asked(['https://example.org'], 'https://example.org')).toBe(200)
  })
})
