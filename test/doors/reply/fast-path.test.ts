import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import type { ServerOptions } from '../../../src/doors/build-server.ts'
import { addKey } from '../../../src/operate/keys/key-file.ts'
import { buildTestServer } from '../../support/build-test-server.ts'
import { everyAnswer } from '../../support/every-answer.ts'
import { smallLake } from '../../support/small-lake.ts'

/** Of each reply; what Node adds to those on sockets is left out. */
const own = ['date', 'connection', 'keep-alive', 'x-request-id', 'server-timing']

function lasting(status: number, body: Buffer, headers: Readonly<Record<string, unknown>>) {
  const others = Object.entries(headers).filter(([name]) => !own.includes(name))
  return { status, body: body.toString('base64'), headers: Object.fromEntries(others) }
}

/** A server that is asked over a socket, where requests may be answered before they are routed, and by injection, where all are routed. */
async function openBoth(lake: string, options: Partial<ServerOptions> = {}, refreshMs = 60_000) {
  const { server, ...test } = await buildTestServer(lake, refreshMs, undefined, options)
  const routed: string[] = []
  server.addHook('onRequest', async ({ raw }) => void routed.push(raw.url ?? ''))
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true })
  async function bySocket(path: string, headers: Record<string, string> = {}) {
    const asked = request({ port, path, headers, agent })
    asked.end()
    const [reply] = (await once(asked, 'response')) as [IncomingMessage]
    return lasting(reply.statusCode ?? 0, await buffer(reply), reply.headers)
  }
  async function byInjection(path: string, headers: Record<string, string> = {}) {
    const reply = await server.inject({ url: path, headers: { host: `localhost:${port}`, ...headers } })
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

const prefix = '/v1/net'
const range = 'from=2019-01-01&to=2027-01-01'
const totals = `${prefix}/l2/iot-reward-shares/totals?${range}`
const list = `${prefix}/l2/iot-reward-shares?${range}`

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
    ['/healthz'],
  ]
  it('gets the same response with and without routing', async () => {
    const lake = await smallLake('with all indexes')
    const { bySocket, byInjection, isRouted } = await openBoth(lake)
    expect(await isRouted(list)).toBe(false)
    const seen = new Set<number>()
    let before = 0
    for (const [path, headers] of requests) {
      const reply = await bySocket(path, headers)
      expect([path, headers, reply]).toEqual([path, headers, await byInjection(path, headers)])
      seen.add(reply.status)
      before += Number(!(await isRouted(path, headers)))
    }
    expect([...seen].sort()).toEqual([200, 404, 422])
    expect(before).toBeGreaterThan(3)
    expect(before).toBeLessThan(requests.length / 2)
  })
})

describe('every request is routed', () => {
  it.each([
    ['pages of other origins may ask', { origins: ['https://example.org'] }],
    ['every request is written down', { log: { access: true, write: () => {} } }],
    ['short requests count as slow', { log: { access: false, slowRequestMs: 1, write: () => {} } }],
  ])('if %s', async (_name, options) => {
    const lake = await smallLake()
    expect(await (await openBoth(lake)).isRouted(totals)).toBe(false)
    expect(await (await openBoth(lake, options)).isRouted(totals)).toBe(true)
  })

  it('once a key is required', async () => {
    const lake = await smallLake()
    const { bySocket, isRouted } = await openBoth(lake, {}, 100)
    expect(await isRouted(totals)).toBe(false)
    const terms = {
      name: 'first',
      features: [],
      ratePerMinute: null,
      quotaPer30Days: null,
      lookbackDays: null,
    }
    await addKey(join(lake, '_keys', 'keys.ndjson'), terms, new Date())
    await expect.poll(async () => (await bySocket(totals)).status).toBe(401)
    expect(await isRouted(totals)).toBe(true)
  })
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
