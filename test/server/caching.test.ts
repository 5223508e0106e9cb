import { beforeAll, describe, expect, it } from 'vitest'
import { buildTestServer } from '../support/build-test-server.ts'
import { gatedServer } from '../support/gated-server.ts'
import { smallLake } from '../support/small-lake.ts'

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
  it('has a tag that says whether it is compressed, however that was asked for', async () => {
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

  it('is confirmed by the tag it has, with what a cache needs to find it', async () => {
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

  it('that a key was needed for is for that caller and that key alone', async () => {
    const { ask, newKey } = await gatedServer(lake)
    const { status, headers } = await ask(url, await newKey())
    expect(status).toBe(200)
    expect(headers['cache-control']).toMatch(/^private, /)
    expect(headers.vary).toMatch(/authorization/i)
  })
})

it('a failure is kept by no cache', async () => {
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
