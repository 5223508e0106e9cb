import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it, vi } from 'vitest'
import type { Feature } from '../../../src/catalog/feature.ts'
import type { ServerOptions } from '../../../src/doors/build-server.ts'
import type { KeyTerms } from '../../../src/keys/api-key.ts'
import { type KeyCounter, openCounterOf } from '../../../src/keys/counting/key-counter.ts'
import { addKey } from '../../../src/keys/key-file.ts'
import { everyAnswer } from '../../support/every-answer.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { buildTestServer } from '../../support/servers/build-test-server.ts'

/** Headers of each exchange, and headers that Node adds on sockets. The seconds to a reset may pass between two requests. */
const own = [
  ...['date', 'connection', 'keep-alive', 'x-request-id', 'server-timing'],
  ...['ledgerlake-quota-reset', 'ratelimit-reset', 'retry-after'],
]

function lasting(status: number, body: Buffer, headers: Readonly<Record<string, unknown>>) {
  const others = Object.entries(headers).filter(([name]) => !own.includes(name))
  return {
    status,
    body: body
      .toString('latin1')
      .replace(/twin \d/, 'twin')
      .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC|in \d+ s/, 'then'),
    headers: Object.fromEntries(others),
  }
}

/** A server that is asked over a socket, where requests may be answered before they are routed, and by injection, where all are routed. */
async function openBoth(
  lake: string,
  options: Partial<ServerOptions> = {},
  refreshMs = 60_000,
  [socketKey, injectedKey]: readonly string[] = [],
) {
  const { server, ...test } = await buildTestServer(lake, refreshMs, undefined, options)
  const routed: string[] = []
  server.addHook('onRequest', async ({ raw }) => void routed.push(raw.url ?? ''))
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true })
  const bearer = (key: string | undefined) => key && { authorization: `Bearer ${key}` }
  async function bySocket(path: string, headers: Record<string, string> = {}) {
    const asked = request({ port, path, headers: { ...bearer(socketKey), ...headers }, agent })
    asked.end()
    const [reply] = (await once(asked, 'response')) as [IncomingMessage]
    return lasting(reply.statusCode ?? 0, await buffer(reply), reply.headers)
  }
  async function byInjection(path: string, headers: Record<string, string> = {}) {
    const all = { host: `localhost:${port}`, ...bearer(injectedKey), ...headers }
    const reply = await server.inject({ url: path, headers: all })
    return lasting(reply.statusCode, reply.rawPayload, reply.headers)
  }
  /** Whether a request over a socket is routed. */
  async function isRouted(path: string, headers: Record<string, string> = {}) {
    routed.length = 0
    await bySocket(path, headers)
    return routed.length > 0
  }
  return { ...test, server, bySocket, byInjection, isRouted }
}

const limitless = { features: [], ratePerMinute: null, quotaPer30Days: null, lookbackDays: null }
const everything: readonly Feature[] = ['HotspotData', 'OracleData', 'Aggregates']
const prefix = '/v1/net'
const range = 'from=2019-01-01&to=2027-01-01'
const totals = `${prefix}/l2/iot-reward-shares/totals?${range}`
const list = `${prefix}/l2/iot-reward-shares?${range}`
const graphql = (parameters: Readonly<Record<string, string>>) =>
  `/graphql?${new URLSearchParams(parameters)}`
const connection = graphql({
  query: 'query Page($n: Int) { iotRewardShares(first: $n) { nodes { id amount } pageInfo { endCursor } } }',
  variables: '{"n": 20}',
})

it('every response is the same with and without routing, also for If-None-Match, and is sent without routing', async () => {
  const lake = await smallLake('with all indexes')
  const { bySocket, byInjection, isRouted, ...test } = await openBoth(lake)
  const paths = Object.keys(await everyAnswer({ ...test })).filter((path) => path.startsWith('/'))
  expect(paths.length).toBeGreaterThan(40)
  let routed = 0
  for (const path of paths.map((path) => prefix + path)) {
    const reply = await bySocket(path)
    expect([path, reply]).toEqual([path, await byInjection(path)])
    expect(reply.status).toBe(200)
    const held = { 'if-none-match': `W/${reply.headers.etag}` }
    const unchanged = await bySocket(path, held)
    expect(unchanged).toEqual(await byInjection(path, held))
    expect([unchanged.status, unchanged.body]).toEqual([304, ''])
    const pinned = `${path}&as_of=${reply.headers['ledgerlake-snapshot']}`
    if (path.includes('?')) expect(await bySocket(pinned)).toEqual(await byInjection(pinned))
    routed += Number(await isRouted(path))
  }
  // Lists that files interleave in are read by the engine.
  expect(routed).toBeLessThan(paths.length / 2)
})

describe('a request with other headers', () => {
  const requests: readonly (readonly [path: string, headers?: Record<string, string>])[] = [
    [list, { accept: 'text/csv' }],
    [list, { accept: 'application/json;q=0.5, text/csv' }],
    [list, { accept: 'text/html, */*' }],
    [list, { 'accept-encoding': 'gzip' }],
    [`${list}&per_page=1`, { 'accept-encoding': 'gzip' }],
    [totals, { 'accept-encoding': 'gzip, br' }],
    [totals, { accept: 'text/html' }],
    [`${totals}&coverage=true`],
    [`${totals}&integers=string`],
    [`${totals}&from=2020-01-01`],
    [`${totals}&colour=red`],
    [totals.replace('?', '/?')],
    [totals.replaceAll('-01', '%2D01')],
    [`${totals}&reward_type=%ff`],
    [`${list}&format=csv`],
    [`${list}&page=999999`],
    [`${list}&page=0`],
    [`${list}&reward_type=gateway_rewards`],
    [`${prefix}/l2/makers/none`],
    [`${prefix}/l2/makers/%6eone`],
    [`${prefix}/l2/makers/:id`],
    [`${prefix}/l2/makers/a/b`],
    [`${prefix}/l2/makers/`],
    [`${prefix}/l2/makers`, { 'if-none-match': '"another", *' }],
    [`${prefix}/l2/makers`, { authorization: 'Bearer unknown' }],
    ['/v2/net/l2/makers'],
    [connection],
    [connection, { accept: 'application/graphql-response+json' }],
    [connection, { accept: 'text/html' }],
    [connection, { 'accept-encoding': 'gzip' }],
    [`${connection}&as_of=none`],
    [connection.replace('20', '120')],
    [connection.replace('20', '-1')],
    [graphql({ query: '{ hotspots(ownerAddress: "nobody") { nodes { id } } }' })],
    [graphql({ query: '{ status }' })],
    [graphql({ query: '{ colour }' })],
    [graphql({ query: 'mutation { status }' })],
    ['/graphql/iot-reward-shares?first=2'],
    ['/graphql/iot-reward-shares?first=two'],
    ['/healthz'],
  ]
  const origin = 'https://example.org'
  const terms = {
    name: 'twin',
    ratePerMinute: 5000,
    quotaPer30Days: 100_000,
    lookbackDays: null,
    features: [],
  }
  const write = () => {}

  it.each<[string, number, Partial<ServerOptions>, Partial<KeyTerms>?]>([
    ['without keys', 200, {}],
    ['with --cors for one origin', 200, { origins: [origin, 'https://example.com'] }],
    ['with --cors for all', 200, { origins: ['*'] }],
    ['with an access log', 200, { log: { access: true, write } }],
    ['with a short limit of slow requests', 200, { log: { access: false, slowRequestMs: 1, write } }],
    ['with keys of all features', 200, {}, { features: everything }],
    ['with keys without features', 403, {}, {}],
    [
      'with keys without limits',
      200,
      {},
      { features: everything, ratePerMinute: null, quotaPer30Days: null },
    ],
    ['with keys that look back 600 days', 200, {}, { features: everything, lookbackDays: 600 }],
    ['with keys that look back 3000 days', 200, {}, { features: everything, lookbackDays: 3000 }],
    ['with keys whose rate is used up', 429, {}, { features: everything, ratePerMinute: 4 }],
    ['with keys whose quota is used up', 402, {}, { features: everything, quotaPer30Days: 3 }],
    [
      'with keys, --cors and a cache',
      200,
      { origins: [origin], answerMemoryMb: 8 },
      { features: everything },
    ],
  ])('gets the same response with and without routing, %s', async (_name, status, options, keyTerms) => {
    const lake = await smallLake('with all indexes')
    const keyFile = join(lake, '_keys', 'keys.ndjson')
    const twins: string[] = []
    while (keyTerms !== undefined && twins.length < 2)
      twins.push(await addKey(keyFile, { ...terms, ...keyTerms, name: `twin ${twins.length}` }, new Date()))
    const { bySocket, byInjection, isRouted } = await openBoth(lake, options, 60_000, twins)
    const origins = options.origins ? [{ origin }, {}, { origin: 'https://elsewhere.org' }] : [{}]
    const seen = new Set<number>()
    for (const [path, headers] of requests)
      for (const more of origins) {
        const reply = await bySocket(path, { ...more, ...headers })
        expect([path, headers, reply]).toEqual([
          path,
          headers,
          await byInjection(path, { ...more, ...headers }),
        ])
        const held = { ...more, ...headers, 'if-none-match': String(reply.headers.etag) }
        expect(await bySocket(path, held)).toEqual(await byInjection(path, held))
        seen.add(reply.status)
      }
    expect(seen).toContain(status)
    expect(await isRouted(`${list}&page=2`)).toBe(status === 429 || status === 402)
    // graphql answers empty lists.
    const isEmpty = keyTerms?.lookbackDays === 600
    if (status === 200) expect(await isRouted(connection)).toBe(isEmpty)
  })
})

it('a response without routing is logged as one with routing', async () => {
  const lake = await smallLake()
  const texts: string[] = []
  const log = { access: true, slowRequestMs: 0, write: (line: string) => void texts.push(line) }
  const key = await addKey(
    join(lake, '_keys', 'keys.ndjson'),
    { ...limitless, name: 'reader', features: everything },
    new Date(),
  )
  const { bySocket, byInjection, isRouted } = await openBoth(lake, { log }, 60_000, [key, key])
  expect(await isRouted(totals)).toBe(false)
  for (const path of [totals, `${list}&per_page=1`]) {
    texts.length = 0
    await bySocket(path)
    await byInjection(path)
    const [direct, routed, ...others] = texts.map((text) => {
      const { time, reqId, ms, ...line } = JSON.parse(text)
      return { line, types: [time, reqId, ms].map((value) => typeof value) }
    })
    expect(others).toEqual([])
    expect(direct).toEqual(routed)
    expect(direct).toMatchObject({ line: { url: path, status: 200, name: 'reader' } })
  }
})

it('a request that could not be counted gets 500, and the server goes on', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const lake = await smallLake()
  const keyFile = join(lake, '_keys', 'keys.ndjson')
  const key = await addKey(
    keyFile,
    { ...limitless, name: 'limited', features: everything, ratePerMinute: 9 },
    new Date(),
  )
  const counter = openCounterOf(keyFile, (error) => expect(error).toBeUndefined())
  let isBroken = true
  const takeAll: KeyCounter['takeAll'] = (tries) => {
    if (isBroken) throw new Error('unforeseen')
    return counter.takeAll(tries)
  }
  const { bySocket } = await openBoth(lake, { counter: { ...counter, takeAll } }, 60_000, [key])
  expect((await bySocket(totals)).status).toBe(500)
  isBroken = false
  expect((await bySocket(totals)).status).toBe(200)
  counter.close()
})

it('a request without a key is routed once a key is needed', async () => {
  const lake = await smallLake()
  const { bySocket, isRouted } = await openBoth(lake, {}, 100)
  expect(await isRouted(totals)).toBe(false)
  await addKey(join(lake, '_keys', 'keys.ndjson'), { ...limitless, name: 'first' }, new Date())
  await expect.poll(async () => (await bySocket(totals)).status).toBe(401)
  expect(await isRouted(totals)).toBe(true)
})

it('the base path is not part of the looked-up path', async () => {
  const outside = { origin: '', basePath: '/lake' }
  const { bySocket, byInjection, isRouted } = await openBoth(await smallLake(), { outside })
  for (const path of [`/lake${totals}`, totals, `/lakes${totals}`])
    expect(await bySocket(path)).toEqual(await byInjection(path))
  expect([await isRouted(`/lake${totals}`), (await bySocket(`/lake${totals}`)).status]).toEqual([false, 200])
})

it('responses without routing are counted in the metrics', async () => {
  const { bySocket, server } = await openBoth(await smallLake())
  const before = await bySocket(totals)
  await bySocket(totals, { 'if-none-match': `${before.headers.etag}` })
  const metrics = (await server.inject('/metrics')).body
  const route = `method="GET",route="${prefix}/l2/iot-reward-shares/totals"`
  expect(metrics).toContain(`ledgerlake_requests_total{${route},status="200"} 1`)
  expect(metrics).toContain(`ledgerlake_requests_total{${route},status="304"} 1`)
})
