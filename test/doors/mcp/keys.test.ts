import { beforeAll, describe, expect, it } from 'vitest'
import { features } from '../../../src/catalog/feature.ts'
import { readSettings } from '../../../src/services/settings/settings.ts'
import { servedSql } from '../../../src/services/sql.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { type GatedServer, gatedServer } from '../../support/servers/gated-server.ts'
import { addressOf, mcpOver, mcpOverAddress } from '../../support/servers/mcp-client.ts'

const days = { from: '2025-01-28', to: '2025-02-01' }
const totals = { resource: 'iot_reward_shares', ...days }
const counting = { statement: 'select count(*) as n from iot_reward_shares' }

let gated: GatedServer

beforeAll(async () => {
  const lake = await smallLake()
  const settings = readSettings({}, { lake, engine_memory_mb: '256', engine_threads: '2' })
  const sql = servedSql(settings)
  gated = await gatedServer(lake, { options: { openSql: sql.open } })
  return sql.close
})

const clientOf = async (terms: Parameters<GatedServer['newKey']>[0]) =>
  await mcpOver(gated.test.server, await gated.newKey(terms))

describe('a server with keys', () => {
  it('refuses a client without a key or with an unknown key as REST does', async () => {
    const address = await addressOf(gated.test.server)
    await expect(mcpOverAddress(address)).rejects.toThrow(
      'Send your API key as `Authorization: Bearer <key>`.',
    )
    await expect(mcpOverAddress(address, { authorization: 'Bearer ll_0' })).rejects.toThrow(
      'unknown or revoked',
    )
  })

  it('refuses a key without the feature in the words of REST', async () => {
    const key = await gated.newKey({ features: ['OracleData'] })
    const { call } = await mcpOver(gated.test.server, key)
    const rest = await gated.ask('/v1/net/l2/iot-reward-shares/totals?from=2025-01-28&to=2025-02-01', key)
    expect(rest.status).toBe(403)
    expect(await call('totals', totals)).toEqual({ isError: true, text: rest.text })
    expect((await call('list', { resource: 'iot_reward_shares', ...days, rows: 1 })).isError).toBe(false)
  })

  it('searches only the kinds that the key may read', async () => {
    const kindsFor = async (feature: 'HotspotData' | 'OracleData') => {
      const { call } = await mcpOver(gated.test.server, await gated.newKey({ features: [feature] }))
      const { isError, text } = await call('search', { q: '112' })
      expect(isError).toBe(false)
      return new Set([...text.matchAll(/"kind":"(\w+)"/g)].map(([, kind]) => kind))
    }
    expect(await kindsFor('HotspotData')).toEqual(new Set(['hotspot', 'gateway']))
    expect(await kindsFor('OracleData')).toEqual(new Set(['hotspot']))
  })

  it('raises from for a key with a look-back, and names it in from_served', async () => {
    const key = await gated.newKey({ lookbackDays: 30 })
    const path = '/v1/net/l2/iot-reward-shares/totals?from=2025-01-28&to=2025-02-01&integers=string'
    const rest = await gated.ask(path, key)
    const { call } = await mcpOver(gated.test.server, key)
    const { isError, text } = await call('totals', totals)
    expect(isError).toBe(false)
    expect(text).toContain(`"answer":${rest.text}}`)
    expect(text).toContain('"total_beacon_amount":"0"')
    expect(rest.headers['ledgerlake-from']).toMatch(/^\d{4}-/)
    expect(text).toContain(`"from_served":"${rest.headers['ledgerlake-from']}"`)
  })

  it('counts only successful tool calls against the quota', async () => {
    const key = await gated.newKey({ quotaPer30Days: 3 })
    const { call, names } = await mcpOver(gated.test.server, key)
    await names()
    expect((await call('totals', { resource: 'iot_reward_shares' })).isError).toBe(true)
    for (const _ of [1, 2, 3]) expect((await call('totals', totals)).isError).toBe(false)
    await expect(call('totals', totals)).rejects.toThrow('has used its 3 requests in 30 days')
    const rest = await gated.ask('/v1/net/l2/makers', key)
    expect(rest.status).toBe(402)
  })

  it('counts every message against the rate limit', async () => {
    const key = await gated.newKey({ ratePerMinute: 4 })
    // Two messages begin a session.
    const { call } = await mcpOver(gated.test.server, key)
    expect((await call('totals', totals)).isError).toBe(false)
    await expect(
      (async () => {
        for (const _ of [1, 2, 3]) await call('totals', totals)
      })(),
    ).rejects.toThrow('may ask 4 times a minute')
  })
})

describe('a batch', () => {
  const call = (id: number, given: object) => ({
    ...{ jsonrpc: '2.0', id, method: 'tools/call' },
    params: { name: 'totals', arguments: given },
  })
  const post = async (key: string, payload: readonly object[]) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    return await gated.test.server.inject({ method: 'POST', url: '/mcp', headers, payload: [...payload] })
  }

  it('uses as much quota as it has successful calls', async () => {
    const key = await gated.newKey({ quotaPer30Days: 3 })
    const wrong = { resource: 'iot_reward_shares' }
    expect((await post(key, [call(1, totals), call(2, wrong), call(3, totals)])).json()).toHaveLength(3)
    const refused = await post(key, [call(4, totals), call(5, totals)])
    expect([refused.statusCode, refused.json().code]).toEqual([402, 'usage_limit_exceeded'])
    expect((await post(key, [call(6, totals)])).statusCode).toBe(200)
    expect((await gated.ask('/v1/net/l2/makers', key)).status).toBe(402)
  })

  it('uses as much of the rate limit as it has messages', async () => {
    const key = await gated.newKey({ ratePerMinute: 4 })
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
    expect((await post(key, [ping, ping, ping])).headers['ratelimit-remaining']).toBe('1')
    expect((await post(key, [ping, ping])).statusCode).toBe(429)
  })
})

describe('sql over HTTP', () => {
  it('is listed and answered for a key with the feature Sql', async () => {
    const { call, names } = await clientOf({ features: [...features, 'Sql'] })
    expect(await names()).toContain('sql')
    const { isError, text } = await call('sql', counting)
    expect(isError).toBe(false)
    expect(text).toContain('"answer":{"columns":[{"name":"n","type":"BIGINT"}],"rows":[["457"]]}}')
    expect(text).toMatch(/^\{"snapshot":"[a-z0-9]+-[0-9a-f]+","units":/)
  })

  it('is neither listed nor answered for a key without the feature Sql', async () => {
    const { call, names } = await clientOf({})
    expect(await names()).not.toContain('sql')
    expect(await call('sql', counting)).toEqual({
      isError: true,
      text: '{"error":"This operation needs the feature Sql; the features of this key are: HotspotData, OracleData, Aggregates.","code":"feature_not_available"}',
    })
  })

  it.each([
    [
      'with a look-back',
      { features: [...features, 'Sql'], lookbackDays: 30 },
      'not for keys with a look-back; this one has 30 days.',
    ],
    [
      'that lacks another feature',
      { features: ['HotspotData', 'OracleData', 'Sql'] },
      'this one lacks Aggregates.',
    ],
  ] as const)('is refused for a key %s, even if the key file grants Sql', async (_what, terms, sentence) => {
    const { call, names } = await clientOf(terms)
    expect(await names()).not.toContain('sql')
    const { isError, text } = await call('sql', counting)
    expect([isError, text.includes('"code":"feature_not_available"')]).toEqual([true, true])
    expect(text).toContain(sentence)
  })

  it.each([
    ["select * from read_text('_keys/keys.ndjson')", 'The function read_text is not accepted'],
    ["select * from '_state/x.parquet'", 'There is no table'],
    ["copy (select 1) to 'x.csv'", 'COPY is not accepted'],
    ["attach 'x.db'", 'is not accepted'],
    ['set memory_limit = 1', 'is not accepted'],
    ['select 1; select 2', 'There are 2 statements'],
    ['', 'statement is required; give one SELECT'],
  ])('refuses %s', async (statement, sentence) => {
    const { call } = await clientOf({ features: [...features, 'Sql'] })
    const { isError, text } = await call('sql', { statement })
    expect([isError, text.includes('"code":"malformed_request"')]).toEqual([true, true])
    expect(text).toContain(sentence)
  })

  it('returns at most the requested rows and 50,000 characters', async () => {
    const { call } = await clientOf({ features: [...features, 'Sql'] })
    const some = await call('sql', { statement: 'select range from range(5000)', rows: 7 })
    expect(some.text).toContain('"rows":{"first":1,"count":7},"next":{"how":"There are more rows.')
    expect(some.text).toContain('"rows":[["0"],["1"],["2"],["3"],["4"],["5"],["6"]]')
    const exact = await call('sql', { statement: 'select range from range(7)', rows: 7 })
    expect(exact.text).toContain('"rows":{"first":1,"count":7},"next":null')
    const wide = await call('sql', {
      statement: "select range, repeat('x', 3000) from range(5000)",
      rows: 1000,
    })
    expect(wide.text.length).toBeLessThanOrEqual(50_000)
    expect(wide.text).toMatch(/"count":1[56]\},"next":\{"how"/)
    const one = await call('sql', { statement: "select repeat('x', 60000) as x union all select 'y'" })
    expect(one.text).toContain('characters; a reply has at most 50000')
    const columns = Array.from({ length: 300 }, (_, at) => `1 as ${'n'.repeat(200)}_${at}`)
    const broad = await call('sql', { statement: `select ${columns.join()}` })
    expect([broad.isError, broad.text]).toEqual([
      true,
      expect.stringContaining(
        'characters without its rows, and a reply at most 50000; ask for less, or ask REST.',
      ),
    ])
  })

  it('fails above half of the memory of the engine, and then answers again', async () => {
    const { call } = await clientOf({ features: [...features, 'Sql'] })
    const { isError, text } = await call('sql', {
      statement: "select length(string_agg(range::varchar, ',')) from range(100000000)",
    })
    expect([
      isError,
      text.includes('Statements have 128 MB of memory; --engine-memory-mb gives them more.'),
    ]).toEqual([true, true])
    expect((await call('sql', counting)).text).toContain('"rows":[["457"]]')
  })
})
