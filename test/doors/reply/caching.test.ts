import { beforeAll, describe, expect, it } from 'vitest'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { buildTestServer } from '../../support/servers/build-test-server.ts'
import { gatedServer } from '../../support/servers/gated-server.ts'

const list = '/v1/net/l2/iot-reward-shares?from=2025-01-28&to=2025-02-01&per_page=100'
const query = `/graphql?query=${encodeURIComponent('{iotRewardShares(first:100){nodes{id hotspotKey}}}')}`

let lake: string

beforeAll(async () => {
  lake = await smallLake()
})

async function openServer() {
  const { server } = await buildTestServer(lake)
  return server
}

describe.each([list, '/openapi.json', query])('a copy of %s', (url) => {
  it('has a suffix in its ETag if it is compressed, for every form of Accept-Encoding', async () => {
    const server = await openServer()
    const plain = (await server.inject({ url })).headers
    expect(plain.etag).toMatch(/^"[\w-]{27}"$/)
    for (const [headers, encoding] of [
      [{ 'accept-encoding': 'gzip' }, 'gzip'],
      [{ 'accept-encoding': 'GZIP' }, 'gzip'],
      [{ 'accept-encoding': '*' }, 'gzip'],
      [{ 'accept-encoding': 'br, deflate' }, undefined],
      [{ 'accept-encoding': 'gzip;q=0' }, undefined],
      [{ 'accept-encoding': 'gzip', 'x-no-compression': '1' }, undefined],
    ] as const) {
      const reply = await server.inject({ url, headers })
      const tag = encoding === undefined ? plain.etag : plain.etag?.replace(/"$/, '-gzip"')
      expect([reply.headers['content-encoding'], reply.headers.etag]).toEqual([encoding, tag])
    }
  })

  it('is confirmed by its ETag with 304 and the headers of the cached response', async () => {
    const server = await openServer()
    for (const encoding of ['gzip', 'identity']) {
      const headers = { 'accept-encoding': encoding }
      const whole = await server.inject({ url, headers })
      const known = { ...headers, 'if-none-match': `W/"other", ${whole.headers.etag}` }
      const confirmed = await server.inject({ url, headers: known })
      expect([confirmed.statusCode, confirmed.body]).toEqual([304, ''])
      for (const name of ['etag', 'vary', 'cache-control']) {
        expect([name, confirmed.headers[name]]).toEqual([name, whole.headers[name]])
      }
      expect(whole.headers.vary).toMatch(/accept-encoding/i)
      expect(confirmed.headers['content-length']).toBeUndefined()
    }
  })

  it('is judged by If-Match before If-None-Match, by every path to an answer', async () => {
    const server = await openServer()
    const address = await server.listen({ host: '127.0.0.1', port: 0 })
    const ask = async (headers: Record<string, string>) => {
      const reply = await fetch(address + url, { headers: { 'accept-encoding': 'identity', ...headers } })
      return [reply.status, (await reply.text()).length > 0, reply.headers.get('etag')]
    }
    // The second time an answer is sent again without being found anew.
    for (const _ of ['found', 'sent again']) {
      const [, , tag] = await ask({})
      const own = String(tag)
      expect(await ask({ 'if-none-match': '*' })).toEqual([304, false, own])
      expect(await ask({ 'if-match': '*' })).toEqual([200, true, own])
      expect(await ask({ 'if-match': `"other", ${own}` })).toEqual([200, true, own])
      expect(await ask({ 'if-match': own, 'if-none-match': own })).toEqual([304, false, own])
      for (const condition of ['"other"', `W/${own}`]) {
        const headers = { 'if-match': condition, 'if-none-match': own, 'accept-encoding': 'identity' }
        const reply = await fetch(address + url, { headers })
        expect([reply.status, reply.headers.get('cache-control')]).toEqual([412, 'no-store'])
        expect(await reply.text()).toContain('precondition_failed')
      }
    }
  })

  it('of a request with a key is only for that client and key', async () => {
    const { ask, newKey } = await gatedServer(lake)
    const { status, headers } = await ask(url, await newKey())
    expect(status).toBe(200)
    expect(headers['cache-control']).toMatch(/^private, /)
    expect(headers.vary).toMatch(/authorization/i)
  })
})

it('an error is not cacheable', async () => {
  const { ask, newKey } = await gatedServer(lake)
  const key = await newKey({ features: [] })
  for (const [url, status] of [
    ['/v1/net/l2/makers/x', 404],
    ['/nowhere', 404],
    ['/v1/net/l2/makers?page=0', 422],
    ['/v1/net/l1/accounts', 403],
  ] as const) {
    const reply = await ask(url, key)
    expect([reply.status, reply.headers['cache-control']]).toEqual([status, 'no-store'])
  }
})

it('a missing record returns 404 with If-None-Match: * and If-Match: *', async () => {
  const server = await openServer()
  const url = '/v1/net/l2/makers/00000000-0000-4000-8000-000000000000'
  for (const headers of [{}, { 'if-none-match': '*' }, { 'if-match': '*' }])
    expect((await server.inject({ url, headers })).statusCode).toBe(404)
})
