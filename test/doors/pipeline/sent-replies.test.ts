import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Feature } from '../../../src/catalog/feature.ts'
import type { ServerOptions } from '../../../src/doors/build-server.ts'
import { addKey } from '../../../src/keys/key-file.ts'
import { hotspot, type MadeLake, makeLake, thirtyShares } from '../../support/lakes/make-lake.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'

const totals = '/v1/net/l2/iot-reward-shares/totals?from=2025-01-01&to=2025-03-01'
const list = '/v1/net/l2/iot-reward-shares?from=2025-01-01&to=2025-03-01'
const graphql = (query: string) => `/graphql?${new URLSearchParams({ query })}`
const connection = graphql('{ iotRewardShares { nodes { id beaconAmount } } }')

interface Reply {
  readonly status: number
  readonly body: string
  readonly headers: IncomingMessage['headers']
}

type Ask = (
  path: string,
  more?: { method?: string; headers?: Record<string, string>; payload?: string },
) => Promise<Reply>

interface Listening extends TestServer {
  readonly ask: Ask
}

let lake: MadeLake
beforeEach(async () => {
  lake = await makeLake({ 'iot/iot_reward_share.1.gz': thirtyShares('2025-01-10') })
})

/** Replies are repeated where sockets are; requests that are injected never get there. */
async function listen(test: TestServer): Promise<Ask> {
  await test.server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = test.server.server.address() as AddressInfo
  return async (path, { method = 'GET', headers = {}, payload } = {}) => {
    const asked = request({ port, path, method, headers, agent: false })
    asked.end(payload)
    const [reply] = (await once(asked, 'response')) as [IncomingMessage]
    return { status: reply.statusCode ?? 0, body: await text(reply), headers: reply.headers }
  }
}

async function openServer(options: Partial<ServerOptions> = {}, refreshMs = 60_000): Promise<Listening> {
  const test = await buildTestServer(lake.folder, refreshMs, undefined, { answerMemoryMb: 8, ...options })
  return { ...test, ask: await listen(test) }
}

const isRepeated = ({ headers }: Reply) => headers['server-timing'] === 'memory'

/** What every reply has of its own. */
function lasting({ status, body, headers }: Reply): unknown {
  const { date: _, 'x-request-id': __, 'server-timing': ___, ...others } = headers
  return { status, body, others }
}

describe('a repeated reply', () => {
  it.each([
    [totals, {}],
    [`${totals}&hotspot_key=${hotspot(3).text}`, {}],
    [list, {}],
    [list, { 'accept-encoding': 'gzip' }],
    [list, { 'accept-encoding': 'br' }],
    ['/v1/net/l2/makers', {}],
    [connection, {}],
    [connection, { 'accept-encoding': 'gzip' }],
    [connection, { accept: 'application/graphql-response+json' }],
    [graphql('{ iotRewardShareTotals(from: "2025-01-01", to: "2025-03-01") { totalBeaconAmount } }'), {}],
    [graphql('{ __schema { types { name fields { name } } } }'), {}],
    ['/graphql/iot-reward-shares?first=2', {}],
  ])('%s with %o equals the first one except for its id and time', async (path, headers) => {
    const { ask } = await openServer()
    const first = await ask(path, { headers })
    const second = await ask(path, { headers: { ...headers, 'x-request-id': 'mine' } })
    expect([isRepeated(first), isRepeated(second)]).toEqual([false, true])
    expect(second.headers['x-request-id']).toBe('mine')
    expect(lasting(second)).toEqual(lasting(first))
    for (const known of [`${first.headers.etag}`, `W/${first.headers.etag}, "other"`]) {
      const repeated = await ask(path, { headers: { ...headers, 'if-none-match': known } })
      expect([repeated.status, repeated.body, repeated.headers.etag]).toEqual([304, '', first.headers.etag])
    }
  })

  it('is the same 304 the second time, and the full body is sent to the next client', async () => {
    const { ask } = await openServer()
    const tag = (await ask(`${list}&page=1`)).headers.etag ?? ''
    const headers = { 'if-none-match': tag }
    const [first, second] = [await ask(list, { headers }), await ask(list, { headers })]
    expect([first.status, first.body]).toEqual([304, ''])
    expect(lasting(second)).toEqual(lasting(first))
    // Nobody was given the body at this address yet.
    const whole = await ask(list)
    expect([whole.status, whole.body.length > 1000]).toEqual([200, true])
    expect(lasting(await ask(list))).toEqual(lasting(whole))
    expect(lasting(await ask(list, { headers }))).toEqual(lasting(first))
  })

  it('is not sent to a client that accepts another encoding', async () => {
    const { ask } = await openServer()
    const zipped = await ask(list, { headers: { 'accept-encoding': 'gzip' } })
    const plain = await ask(list)
    const refused = await ask(list, { headers: { 'accept-encoding': 'gzip', 'x-no-compression': '1' } })
    expect([zipped, plain, refused].map(({ headers }) => headers['content-encoding'])).toEqual([
      'gzip',
      undefined,
      undefined,
    ])
  })

  it('ends with a commit', async () => {
    const { ask } = await openServer({}, 100)
    const before = await ask(totals)
    expect(isRepeated(await ask(totals))).toBe(true)
    await lake.add({ 'iot/iot_reward_share.2.gz': thirtyShares('2025-02-10') })
    let after = await ask(totals)
    while (after.headers['ledgerlake-snapshot'] === before.headers['ledgerlake-snapshot'])
      after = await ask(totals)
    expect([before.body, after.body].map((body) => /"total_beacon_amount":(\d+)/.exec(body)?.[1])).toEqual([
      '210',
      '420',
    ])
    expect(lasting(await ask(totals))).toEqual(lasting(after))
  })

  it.each([
    ['HEAD', { method: 'HEAD' }],
    ['a body', { payload: '{}', headers: { 'content-length': '2' } }],
    ['a key', { headers: { authorization: 'Bearer x' } }],
  ])('is not sent to a request with %s', async (_name, more) => {
    const { ask } = await openServer()
    await ask(totals)
    expect(isRepeated(await ask(totals))).toBe(true)
    expect((await ask(totals, more)).headers['server-timing']).toMatch(/^lake/)
  })

  it.each([
    ...[`${totals}&as_of=`, '/healthz', '/docs', '/v1/net/l2/hotspots/nobody', `${totals}&page=0`],
    ...[`${connection}&as_of=`, graphql('{ iotRewardShares(first: -1) { nodes { id } } status }')],
    ...[graphql('{ colour }'), '/graphql/iot-reward-shares?first=-2'],
  ])('is never one of %s', async (path) => {
    const { ask } = await openServer()
    const snapshot = (await ask(totals)).headers['ledgerlake-snapshot']
    const asked = path.endsWith('as_of=') ? path + snapshot : path
    for (let time = 0; time < 3; time += 1) expect(isRepeated(await ask(asked))).toBe(false)
  })

  it('is counted like any other', async () => {
    const { ask } = await openServer()
    for (let time = 0; time < 3; time += 1) await ask(totals)
    await ask(totals, { headers: { 'if-none-match': `${(await ask(totals)).headers.etag}` } })
    const metrics = (await ask('/metrics')).body
    const route = 'method="GET",route="/v1/net/l2/iot-reward-shares/totals"'
    expect(metrics).toContain(`ledgerlake_requests_total{${route},status="200"} 4`)
    expect(metrics).toContain(`ledgerlake_requests_total{${route},status="304"} 1`)
    expect(metrics).toContain(`ledgerlake_request_seconds_count{${route}} 5`)
  })
})

it('no response is repeated without memory for replies', async () => {
  const { ask } = await openServer({ answerMemoryMb: 0 })
  await ask(totals)
  expect((await ask(totals)).headers['server-timing']).toMatch(/^lake/)
})

it('no response is repeated after the first key was added', async () => {
  const { ask } = await openServer({}, 100)
  await ask(totals)
  expect(isRepeated(await ask(totals))).toBe(true)
  const terms = { name: 'first', features: [], ratePerMinute: null, quotaPer30Days: null, lookbackDays: null }
  await addKey(join(lake.folder, '_keys', 'keys.ndjson'), terms, new Date())
  let reply = await ask('/v1/net/l2/makers')
  while (reply.status === 200) reply = await ask('/v1/net/l2/makers')
  expect([reply.status, (await ask(totals)).status]).toEqual([401, 401])
})

it.each([totals, connection])(
  'a key gets only a response for %s that was sent to keys of the same features and look-back',
  async (path) => {
    const keyFile = join(lake.folder, '_keys', 'keys.ndjson')
    const all: readonly Feature[] = ['HotspotData', 'OracleData', 'Aggregates']
    const terms = [
      { features: all, lookbackDays: null },
      { features: all, lookbackDays: 1 },
      { features: all.slice(1), lookbackDays: null },
    ]
    const keys: string[] = []
    for (const [index, one] of terms.entries()) {
      const more = { name: `key ${index}`, ratePerMinute: 100, quotaPer30Days: null }
      keys.push(await addKey(keyFile, { ...one, ...more }, new Date()))
    }
    const { ask } = await openServer()
    const askAll = async () => {
      const replies: Reply[] = []
      for (const key of keys) replies.push(await ask(path, { headers: { authorization: `Bearer ${key}` } }))
      return replies
    }
    const [first, second] = [await askAll(), await askAll()]
    expect(first.map(isRepeated)).toEqual([false, false, false])
    expect(second.map(isRepeated)).toEqual([true, true, true])
    expect(second.map(({ body }) => body)).toEqual(first.map(({ body }) => body))
    expect(second.map(({ headers }) => headers['ratelimit-remaining'])).toEqual(['98', '98', '98'])
    const [whole, narrowed] = second.map(({ headers }) => headers['ledgerlake-from'])
    expect([whole, narrowed]).toEqual([undefined, expect.stringMatching(/^\d{4}-\d\d-\d\dT00:00:00/)])
    expect(first[1]?.body).not.toBe(first[0]?.body)
  },
)

it.each([totals, list])(
  'the route of %s evaluates conditions, although its response is stored',
  async (path) => {
    const { ask } = await openServer()
    const { etag } = (await ask(path)).headers
    await ask(path)
    for (const [condition, status] of [
      [{ 'if-match': '"other"' }, 412],
      [{ 'if-match': '"other"', 'if-none-match': `${etag}` }, 412],
      [{ 'if-match': `${etag}` }, 200],
      [{ 'if-none-match': '*' }, 304],
    ] as const)
      expect([condition, (await ask(path, { headers: condition })).status]).toEqual([condition, status])
  },
)
