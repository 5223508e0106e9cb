import { brotliCompressSync, deflateSync, gunzipSync, gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ServerOptions } from '../../src/doors/build-server.ts'
import { smallLake } from '../support/lakes/small-lake.ts'
import { askRaw } from '../support/servers/ask-raw.ts'
import { buildTestServer, type TestServer } from '../support/servers/build-test-server.ts'
import { gatedServer } from '../support/servers/gated-server.ts'
import { sharingOf, tables } from '../support/servers/sharing.ts'

const list = '/v1/net/l2/iot-reward-shares?from=2025-01-28&to=2025-02-01'
const site = 'https://explorer.example.org'

let lake: string
let plain: TestServer['server']

beforeAll(async () => {
  lake = await smallLake()
  plain = await serverOf({})
})

/** A server of its own where there are options, and otherwise one that all share. */
async function serverOf(options?: Partial<ServerOptions>) {
  if (options === undefined) return plain
  const { server } = await buildTestServer(lake, 60_000, undefined, options)
  return server
}

describe('a method', () => {
  it.each(['POST', 'PUT', 'DELETE', 'PATCH'] as const)(
    '%s of an operation returns 405 with the allowed methods',
    async (method) => {
      const server = await serverOf()
      const reply = await server.inject({ method, url: '/v1/net/l2/iot-reward-shares' })
      expect([reply.statusCode, reply.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS'])
      expect(JSON.parse(reply.body)).toEqual({
        error: `/v1/net/l2/iot-reward-shares is asked with GET or HEAD, not with ${method}.`,
        code: 'method_not_allowed',
      })
    },
  )

  it('that an address does not have returns 405 with the allowed ones, and so does OPTIONS', async () => {
    const server = await serverOf({ ...sharingOf(lake) })
    const addresses = {
      'GET, HEAD': [
        list,
        '/v1/net/l1/accounts/x',
        '/',
        '/openapi.json',
        '/healthz',
        `${tables}/makers/version`,
      ],
      'GET, HEAD, POST': ['/graphql', '/v1/net/l2/iot-reward-shares/totals/series'],
      POST: ['/mcp', `${tables}/makers/query`],
    }
    for (const [allowed, urls] of Object.entries(addresses))
      for (const url of urls) {
        const options = await server.inject({ method: 'OPTIONS', url })
        expect([url, options.statusCode, options.headers.allow]).toEqual([url, 204, `${allowed}, OPTIONS`])
        const { statusCode, headers } = await server.inject({ method: 'DELETE', url })
        expect([url, statusCode, headers.allow]).toEqual([url, 405, `${allowed}, OPTIONS`])
      }
    const all = await askRaw(await server.listen({ port: 0 }), 'OPTIONS', '*')
    expect(all.head).toMatch(/^HTTP\/1.1 204 [\s\S]*\r\nallow: GET, HEAD, POST, OPTIONS\r\n/i)
    for (const url of ['/v1/net/l3/nothing', `${tables}/makers/nothing`]) {
      const { statusCode, headers } = await server.inject({ method: 'OPTIONS', url })
      expect([statusCode, headers.allow]).toEqual([404, undefined])
    }
  })

  it('of an address that looks like a pattern returns 405 too', async () => {
    const server = await serverOf()
    for (const url of ['/:a(\\d+', '/*', '/v1/net/:x/(', '/v1/net/l2/makers/:id(/x']) {
      const { statusCode, body } = await server.inject({ url })
      expect([statusCode, JSON.parse(body).code]).toEqual([404, 'not_found'])
    }
    const { statusCode } = await server.inject({ method: 'POST', url: '/v1/net/l2/makers/:id(' })
    expect(statusCode).toBe(405)
  })

  it('HEAD has the headers of GET and no body', async () => {
    const server = await serverOf()
    for (const url of [list, `${list}&page=0`, '/v1/net/l2/makers/x', '/healthz']) {
      const [get, head] = [await server.inject({ url }), await server.inject({ method: 'HEAD', url })]
      expect([head.statusCode, head.body]).toEqual([get.statusCode, ''])
      for (const name of ['content-type', 'content-length', 'ledgerlake-snapshot']) {
        expect([name, head.headers[name]]).toEqual([name, get.headers[name]])
      }
    }
  })
})

describe('a request id', () => {
  it('is in every response, and differs each time', async () => {
    const server = await serverOf()
    const ids = new Set<unknown>()
    for (const url of [list, `${list}&page=0`, '/nowhere', '/graphql?query={status}', '/healthz', '/%zz']) {
      const { headers } = await server.inject({ url })
      expect(headers['x-request-id']).toMatch(/^[\da-f-]{36}$/)
      ids.add(headers['x-request-id'])
    }
    expect(ids.size).toBe(6)
  })

  it('is taken from X-Request-Id if it is short and plain', async () => {
    const server = await serverOf()
    const idFor = async (given: string) =>
      (await server.inject({ url: '/healthz', headers: { 'x-request-id': given } })).headers['x-request-id']
    expect(await idFor('job-17:page.3_a')).toBe('job-17:page.3_a')
    for (const odd of ['a b', '<script>', 'x'.repeat(65), '', 'ä'])
      expect(await idFor(odd)).toMatch(/^[\da-f-]{36}$/)
  })
})

describe('a page of another origin', () => {
  const preflight = {
    method: 'OPTIONS',
    headers: {
      origin: site,
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'authorization',
    },
  } as const

  it('cannot read responses without the setting', async () => {
    const server = await serverOf()
    for (const request of [{ headers: { origin: site } }, preflight]) {
      const { headers } = await server.inject({ url: list, ...request })
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    }
  })

  it('can read responses if its origin is configured', async () => {
    const server = await serverOf({ origins: [site, 'http://localhost:3000'] })
    const allowed = async (origin: string) =>
      (await server.inject({ url: list, headers: { origin } })).headers['access-control-allow-origin']
    expect(await allowed(site)).toBe(site)
    expect(await allowed('http://localhost:3000')).toBe('http://localhost:3000')
    for (const other of ['http://explorer.example.org', `${site}.evil.org`, 'null'])
      expect(await allowed(other)).toBeUndefined()
  })

  it('may send a key according to the preflight, and can read the documented headers', async () => {
    const server = await serverOf({ origins: ['*'] })
    const before = await server.inject({ url: list, ...preflight })
    expect(before.statusCode).toBe(204)
    expect(before.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD',
      'access-control-allow-headers': '*, Authorization',
    })
    const { headers } = await server.inject({ url: list, headers: { origin: site } })
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(headers['access-control-expose-headers']).toBe('*')
    const query = await server.inject({ ...preflight, url: '/graphql' })
    expect(query.headers['access-control-allow-methods']).toBe('GET, HEAD, POST')
  })

  it('can read errors, and sends the preflight without a key', async () => {
    const { ask } = await gatedServer(lake, { options: { origins: [site] } })
    const refused = await ask(list, undefined, { headers: { origin: site } })
    expect([refused.status, refused.headers['access-control-allow-origin']]).toEqual([401, site])
    expect((await ask(list, undefined, preflight)).status).toBe(204)
  })
})

describe('compression', () => {
  const gzip = { headers: { 'accept-encoding': 'gzip, br' } }

  it('is used for clients that accept it and for large responses, and changes no byte', async () => {
    const server = await serverOf()
    const plain = await server.inject({ url: `${list}&per_page=100` })
    const packed = await server.inject({ url: `${list}&per_page=100`, ...gzip })
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(packed.headers['content-encoding']).toBe('gzip')
    expect(packed.headers.vary).toMatch(/accept-encoding/i)
    expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body)
    expect(packed.rawPayload.length).toBeLessThan(plain.body.length / 3)
    const short = await server.inject({ url: '/healthz', ...gzip })
    expect([short.headers['content-encoding'], short.body]).toEqual([undefined, '{"status":"ok"}'])
  })

  it('also applies to GraphQL and to errors', async () => {
    const server = await serverOf()
    const query = '{iotRewardShares(first:100){nodes{id hotspotKey}}}'
    const reply = await server.inject({ url: `/graphql?query=${encodeURIComponent(query)}`, ...gzip })
    expect(reply.headers['content-encoding']).toBe('gzip')
    expect(JSON.parse(gunzipSync(reply.rawPayload).toString()).data.iotRewardShares.nodes).toHaveLength(100)
  })
})

describe('a request body', () => {
  const body = Buffer.from(JSON.stringify({ query: '{ makers(first: 1) { nodes { id } } }' }))
  const headers = { 'content-type': 'application/json' }
  const post = async (coding: string, payload: Buffer) =>
    (await serverOf()).inject({
      ...{ method: 'POST', url: '/graphql', payload },
      headers: { ...headers, 'content-encoding': coding },
    })

  it.each([
    ['identity', body],
    ['gzip', gzipSync(body)],
    ['deflate', deflateSync(body)],
    ['br', brotliCompressSync(body)],
  ])('in %s is read', async (coding, packed) => {
    expect((await post(coding, packed)).body).toMatch(/^\{"data":\{"makers":\{"nodes":\[\{"id":/)
  })

  it('in another coding, or broken, is refused', async () => {
    const unknown = await post('compress', body)
    expect([unknown.statusCode, unknown.json().errors[0].message]).toEqual([
      ...[400, 'Content-Encoding is "compress"; use gzip, deflate, br or none.'],
    ])
    const broken = await post('gzip', body)
    expect([broken.statusCode, broken.json().errors[0].extensions.code]).toEqual([400, 'malformed_request'])
  })

  it('that unpacks to more than the limit is refused with 413', async () => {
    const bomb = await post('gzip', gzipSync(Buffer.alloc(64 * 2 ** 20, ' ')))
    expect([bomb.statusCode, bomb.json().errors[0].extensions.code]).toEqual([413, 'body_too_large'])
  })
})

describe('every reply', () => {
  it.each([
    ['/', 'text/html'],
    ['/hotspot/nobody', '*/*'],
    ['/docs', '*/*'],
    ['/graphql', 'text/html'],
  ])('%s, a page, loads nothing and denies frames', async (url, accept) => {
    const { headers } = await (await serverOf()).inject({ url, headers: { accept } })
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    const policy = String(headers['content-security-policy']).split('; ')
    expect(policy).toEqual(
      expect.arrayContaining(["default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"]),
    )
  })
})

describe('a key in the address of a request', () => {
  const escaped = (text: string) => text.replace(/./g, (letter) => `%${letter.charCodeAt(0).toString(16)}`)
  const forms = [
    ['as it is', (key: string) => key],
    ['with its underscores encoded', (key: string) => key.replaceAll('_', '%5F')],
    ['encoded twice', (key: string) => key.replaceAll('_', '%255f')],
    ['with every letter encoded', escaped],
    ['with every letter encoded twice', (key: string) => escaped(key).replaceAll('%', '%25')],
    ['in capitals', (key: string) => key.toUpperCase()],
    ['cut', (key: string) => key.slice(0, -1)],
    ['with a word before it', (key: string) => `Bearer%20${key}`],
  ] as const

  it.each(forms)('%s appears in no error and in no log', async (_, write) => {
    const lines: string[] = []
    const log = { access: true, write: (line: string) => lines.push(line) }
    const server = await serverOf({ log })
    // Four letters of it are in nothing that a line has beside the address: times are digits, and the request id is given.
    const secret = 'abcdef0123456789'.repeat(4)
    const headers = { 'x-request-id': 'a-caller' }
    const key = write(`ll_fedcfedcfedc_${secret}`)
    const statuses: number[] = []
    const said: string[] = []
    for (const url of [
      `/nowhere/${key}`,
      `/v1/net/l2/makers/${key}`,
      `/v1/net/l2/makers?api_key=${key}`,
      `/v1/net/l2/makers?${key}=1`,
      `/v1/net/l2/makers?page=${key}`,
      `/v1/net/l2/makers?as_of=${key}`,
      `/graphql/iot-reward-shares?startPeriod=${key}`,
      `/graphql?query={${key}}`,
    ]) {
      const { statusCode, body } = await server.inject({ url, headers })
      statuses.push(statusCode)
      said.push(body)
    }
    expect(statuses.slice(0, 6)).toEqual([404, 404, 422, 422, 422, 422])
    expect(lines).toHaveLength(8)
    const plain = decodeURIComponent(
      decodeURIComponent([...lines, ...said].join('').replace(/%(?![\da-f]{2})/gi, '')),
    )
    expect(plain.toLowerCase()).not.toContain(secret.slice(0, 4))
  })
})

describe('the access log', () => {
  it('has one line of JSON for each request, with the id of a key and never the key', async () => {
    const lines: string[] = []
    const log = { access: true, write: (line: string) => lines.push(line) }
    const { ask, newKey } = await gatedServer(lake, { options: { log } })
    const key = await newKey({ name: 'an operator' })
    lines.length = 0
    const good = await ask(list, key)
    await ask(`${list}&key=${key}`, key)
    await ask(`/v1/net/l2/makers/${key}`)
    await ask('/nowhere')
    expect(lines).toHaveLength(4)
    const [first, ...others] = lines.map((line) => JSON.parse(line))
    expect(first).toEqual({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      reqId: good.headers['x-request-id'],
      method: 'GET',
      url: list,
      status: 200,
      ms: expect.any(Number),
      from: '127.0.0.1',
      key: key.slice(3, 15),
      name: 'an operator',
      snapshot: good.headers['ledgerlake-snapshot'],
    })
    expect(others.map(({ status }) => status)).toEqual([422, 401, 404])
    const [, , secret = ''] = key.split('_')
    expect(lines.join('')).not.toContain(secret)
    expect(lines.join('')).not.toContain(secret.slice(0, 12))
  })

  it('never contains a key of a header, a body, or the variables of a query', async () => {
    const lines: string[] = []
    const log = { access: true, write: (line: string) => lines.push(line) }
    const { ask, newKey } = await gatedServer(lake, { options: { log } })
    const key = await newKey({ name: 'an operator' })
    const [, , secret = ''] = key.split('_')
    lines.length = 0
    const said: string[] = []
    const query = 'query Q($message: Int!) { echo(message: $message) }'
    const payload = JSON.stringify({ query, operationName: key, variables: { message: key, other: { key } } })
    for (const name of [
      'x-request-id',
      'user-agent',
      'referer',
      'cookie',
      'x-forwarded-for',
      'if-none-match',
      'origin',
    ])
      for (const text of [key, key.slice(0, 64), `a=${key}`]) {
        const reply = await ask(list, undefined, { headers: { [name]: text, authorization: `Basic ${key}` } })
        said.push(reply.text, JSON.stringify(reply.headers))
      }
    for (const text of [payload, payload.slice(0, -1), key]) {
      const headers = { 'content-type': 'application/json' }
      const reply = await ask('/graphql', key, { method: 'POST', headers, payload: text })
      said.push(reply.text, JSON.stringify(reply.headers))
    }
    expect(lines).toHaveLength(24)
    expect(said.filter((text) => text.includes(secret.slice(0, 12)))).toEqual([])
    expect(lines.filter((text) => text.includes(secret.slice(0, 12)))).toEqual([])
  })

  it('is off by default', async () => {
    const lines: string[] = []
    const server = await serverOf({ log: { access: false, write: (line) => lines.push(line) } })
    await server.inject({ url: list })
    expect(lines).toEqual([])
  })
})

describe('metrics', () => {
  it('count responses by route and status, and have the number of served rows', async () => {
    const server = await serverOf({})
    await server.inject({ url: list })
    await server.inject({ url: `${list}&page=2` })
    await server.inject({ url: '/v1/net/l2/makers/x' })
    await server.inject({ url: '/nowhere' })
    const { headers, body } = await server.inject({ url: '/metrics' })
    expect(headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/)
    const lines = body.split('\n')
    for (const line of [
      'ledgerlake_requests_total{method="GET",route="/v1/net/l2/iot-reward-shares",status="200"} 2',
      'ledgerlake_requests_total{method="GET",route="/v1/net/l2/makers/:id",status="404"} 1',
      'ledgerlake_requests_total{method="GET",route="none",status="404"} 1',
      'ledgerlake_rows{table="iot_reward_shares"} 457',
    ])
      expect(lines).toContain(line)
    expect(body).toContain('process_resident_memory_bytes')
  })
})
