import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { specifiedDialect } from '../../../src/doors/dialect/dialect.ts'
import { relay } from '../../../src/doors/dialect/relay.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { gatedServer } from '../../support/servers/gated-server.ts'

const range = 'from=2025-01-28&to=2025-02-01'

let folder: string
const served: Record<string, TestServer> = {}

beforeAll(async () => {
  folder = await smallLake()
  served.specified = await buildTestServer(folder, 60_000, undefined, { dialect: specifiedDialect })
  served.relay = await buildTestServer(folder, 60_000, undefined, { dialect: relay })
})
afterAll(async () => {
  for (const { close } of Object.values(served)) await close()
})

async function ask(name: string, url: string, method: 'GET' | 'POST' | 'OPTIONS' = 'GET') {
  const { statusCode, body, headers } = await (served[name] as TestServer).server.inject({ method, url })
  return { status: statusCode, body, headers }
}

const both = ['specified', 'relay'] as const

describe.each(both)('%s: a slash at the end of an address', (name) => {
  const network = name === 'relay' ? 'helium' : 'net'

  it.each([
    `/v1/${network}/l2/hotspots`,
    `/v1/${network}/l2/iot-reward-shares/totals`,
    `/v1/${network}/l1/rewards`,
    '/graphql/iot-reward-shares',
    '/docs',
    '/healthz',
    '/up',
  ])('%s returns the same response as without it', async (path) => {
    const query = /reward-shares/.test(path) && !path.startsWith('/graphql') ? `?${range}` : ''
    const plain = await ask(name, path + query)
    const slashed = await ask(name, `${path}/${query}`)
    expect([plain.status, slashed.status]).toEqual([200, 200])
    expect(slashed.body).toBe(plain.body)
  })

  it('is not part of an id', async () => {
    const [, asset = ''] =
      /"asset_id":"(\w+)"/.exec((await ask(name, `/v1/${network}/l2/hotspots`)).body) ?? []
    const { status, body } = await ask(name, `/v1/${network}/l2/hotspots/${asset}/`)
    expect([status, body]).toEqual([200, expect.stringContaining(`"asset_id":"${asset}"`)])
  })

  it('does not change the response to POST and OPTIONS', async () => {
    const path = `/v1/${network}/l2/makers`
    expect((await ask(name, `${path}/`, 'POST')).headers.allow).toBe('GET, HEAD, OPTIONS')
    expect((await ask(name, `${path}/`, 'OPTIONS')).status).toBe(204)
  })

  it.each([
    '/l2/hotspots//',
    '//l2/hotspots',
    '/l2//hotspots',
    '/l2/hotspots%2F',
    '/l2/hotspots/%2F',
    '/l2%2Fhotspots',
  ])('does not make %s valid, which returns 404', async (path) => {
    expect((await ask(name, `/v1/${network}${path}`)).status).toBe(404)
  })
})

describe('an unknown address', () => {
  it.each([
    ['/v1/net/l2/hotspot', '/v1/net/l2/hotspots'],
    ['/v1/net/l2/iot_reward_shares', '/v1/net/l2/iot-reward-shares'],
    ['/v1/net/L2/Hotspots/', '/v1/net/l2/hotspots'],
    ['/net/l2/iot-reward-shares/totals', '/v1/net/l2/iot-reward-shares/totals'],
    ['/l1/rewards', '/v1/net/l1/rewards'],
    ['/v1/l2/makers', '/v1/net/l2/makers'],
    ['/v2/net/l2/makers', '/v1/net/l2/makers'],
    ['/v1/helium/l2/hotspots/abc', '/v1/net/l2/hotspots/abc'],
    ['/v1/net/hotspots', '/v1/net/l2/hotspots'],
    ['/hotspots', '/v1/net/l2/hotspots'],
    ['/v1/net/stats', '/v1/net/status'],
    ['/graphiql', '/graphql'],
    ['/doc', '/docs'],
    ['/guides', '/guide'],
    ['/v1/net/docs', '/docs'],
  ])('%s has %s suggested', async (path, meant) => {
    const { status, body } = await ask('specified', `${path}?from=2025-01-01`)
    expect([status, JSON.parse(body).error]).toEqual([404, `There is no GET ${path}; did you mean ${meant}?`])
  })

  it.each([
    '/v1/net/l2/nothing',
    '/l3',
    '/v1',
    '/v1/net',
    '/x/y/z',
    '/v1/net/l1/transaction-actors/x',
    '/favicon.ico',
  ])('%s has none suggested', async (path) => {
    const error = `There is no GET ${path}; the operations are listed at /.`
    expect(JSON.parse((await ask('specified', path)).body).error).toBe(error)
  })
})

describe.each(both)('%s: /up', (name) => {
  it('returns 200 with the status ok', async () => {
    const { status, body, headers } = await ask(name, '/up')
    expect([status, body, headers['content-type']]).toEqual([
      200,
      '{"status":"ok"}',
      'application/json; charset=utf-8',
    ])
  })

  it('needs no key and no request slot', async () => {
    const dialect = name === 'relay' ? relay : specifiedDialect
    const gated = await gatedServer(folder, { options: { dialect, mostRequests: 0 } })
    expect((await gated.ask('/up')).status).toBe(200)
    expect((await gated.ask('/v1/net/l2/makers', await gated.newKey())).status).toBe(503)
  })
})

describe.each(both)('%s: percent-encoding that is not UTF-8', (name) => {
  const list = `/v1/${name === 'relay' ? 'helium' : 'net'}/l2`
  const message = (param: string) => `${param} is not valid UTF-8; use percent-encoded UTF-8`

  it.each([
    [`${list}/hotspots?owner=%c0%ae`, 422, 'owner'],
    [`${list}/hotspots?owner=a%ed%a0%80b`, 422, 'owner'],
    [`${list}/hotspots?page=1&owner=%ff`, 422, 'owner'],
    [`${list}/hotspots?%6Fwner=%80`, 422, 'owner'],
    [`${list}/hotspots?%c0%ae=x`, 422, '%c0%ae'],
    [`${list}/hotspots?%ed%a0%80`, 422, '%ed%a0%80'],
    [`${list}/hotspots/x?as_of=%c3`, 422, 'as_of'],
    ['/graphql?query=%c0%ae', 400, 'query'],
    ['/graphql/iot-reward-shares?hotspotKey=%ed%a0%80', 400, 'hotspotKey'],
  ])('in %s is refused', async (url, status, param) => {
    const reply = await ask(name, url)
    expect(reply.status).toBe(status)
    const body = JSON.parse(reply.body)
    const faults = url.startsWith('/graphql') ? body.errors[0].extensions.errors : body.errors
    expect(faults).toEqual([{ param, message: message(param) }])
  })

  it.each([`${list}/hotspots/%c0%ae`, `${list}/hotspots/%ed%a0%80`, '/%ff'])(
    'in %s is refused',
    async (url) => {
      const { status, body } = await ask(name, url)
      expect([status, body]).toEqual([422, expect.stringContaining('The address cannot be read')])
    },
  )

  it('is distinguished from valid encodings and plain characters', async () => {
    for (const owner of ['%e2%82%ac', '%EF%BF%BD', '%f0%9d%84%9e', 'a+b', '100%', '%zz'])
      expect([owner, (await ask(name, `${list}/hotspots?owner=${owner}`)).status]).toEqual([owner, 200])
  })
})
