import { beforeAll, describe, expect, it } from 'vitest'
import type { Log } from '../../../src/doors/hooks/log.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { gatedServer } from '../../support/servers/gated-server.ts'
import { some } from '../../support/some.ts'

const list = '/v1/net/l2/iot-reward-shares?from=2025-01-28&to=2025-02-01'
const secret = 'abcdef0123456789'.repeat(4)
const own = `ll_fedcfedcfedc_${secret}`
let lake: string

beforeAll(async () => {
  lake = await smallLake()
})

interface Line {
  readonly level: string
  readonly msg?: string
  readonly url?: string
  readonly [name: string]: unknown
}

async function loggedServer(log: Partial<Log>, around?: (engine: Engine) => Engine) {
  const texts: string[] = []
  const write = (line: string) => void texts.push(line)
  const { server } = await buildTestServer(lake, 60_000, around, { log: { access: false, ...log, write } })
  return { server, texts, lines: () => texts.map((text): Line => JSON.parse(text)) }
}

describe('a slow request', () => {
  it('is logged with its plan: access path, statements, files and bytes', async () => {
    const { server, lines } = await loggedServer({ level: 'warn', slowRequestMs: 1 }, slowly)
    const { headers } = await server.inject({ url: `${list}&per_page=7&key=${secret}-no`, headers: {} })
    expect(headers['server-timing']).toBeUndefined()
    const reply = await server.inject({ url: `${list}&per_page=7` })
    const [line, ...others] = lines().filter(({ url }) => !url?.includes('key='))
    expect(others).toEqual([])
    expect(line).toMatchObject({
      ...{ level: 'warn', msg: 'slow request', method: 'GET', status: 200 },
      ...{ url: `${list}&per_page=7`, route: '/v1/net/l2/iot-reward-shares' },
      plan: /desc="(.*)"/.exec(String(reply.headers['server-timing']))?.[1],
      bytes: Buffer.byteLength(reply.body),
      reqId: reply.headers['x-request-id'],
      snapshot: reply.headers['ledgerlake-snapshot'],
    })
    expect(line?.plan).toMatch(/^engine, statements \d+, files \d+$/)
    expect(line?.ms).toBeGreaterThan(20)
  })

  it('of GraphQL is logged with the plan of all its lists', async () => {
    const { server, lines } = await loggedServer({ level: 'warn', slowRequestMs: 1 }, slowly)
    const range = 'startPeriod: "2025-01-28", endPeriod: "2025-02-01"'
    const query = `{ iotRewardShares(${range}, first: 3) { nodes { id } }
      iotWitnessIngestReports(first: 1) { nodes { id } }
      none: iotRewardShares(${range}, first: 0, hotspotKey: "x") { nodes { id } } }`
    const reply = await server.inject({ method: 'POST', url: '/graphql', payload: { query } })
    expect(JSON.parse(reply.body).errors).toBeUndefined()
    const [line, ...others] = lines()
    expect(others).toEqual([])
    expect(line).toMatchObject({ msg: 'slow request', route: '/graphql', status: 200 })
    expect(line?.plan).toMatch(/^engine, statements \d+, files \d+$/)
    expect(reply.headers['server-timing']).toMatch(/^lake;dur=\d+\.\d\d;desc="engine, /)
    const status = await server.inject({ url: '/graphql?query={status}' })
    expect([status.statusCode, status.headers['server-timing']]).toEqual([200, undefined])
  })

  it('that sends a file is logged with its number of rows', async () => {
    const { server, lines } = await loggedServer({ level: 'warn', slowRequestMs: 1 }, slowly)
    await server.inject({ url: `${list}&format=csv` })
    expect(lines()).toMatchObject([{ msg: 'slow request', rows: 457, status: 200 }])
  })

  it('is not logged below the threshold or at a higher log level', async () => {
    const lenient = await loggedServer({ level: 'debug', slowRequestMs: 600_000 })
    await lenient.server.inject({ url: list })
    expect(lenient.lines().filter(({ msg }) => msg === 'slow request')).toEqual([])
    const quiet = await loggedServer({ level: 'error', slowRequestMs: 1 }, slowly)
    await quiet.server.inject({ url: list })
    expect(quiet.lines()).toEqual([])
  })
})

/** Every request by place takes a moment longer, so that it is slow. */
function slowly(engine: Engine): Engine {
  const { byRowNumber } = engine
  if (byRowNumber === undefined) return engine
  const later = () => new Promise((resolve) => setTimeout(resolve, 25))
  return {
    ...engine,
    byRowNumber: {
      ...byRowNumber,
      rows: async (...given) => later().then(() => byRowNumber.rows(...given)),
      async *columns(...given) {
        await later()
        yield* byRowNumber.columns(...given)
      },
    },
  }
}

describe('a level', () => {
  it.each([
    ['info', ['info', 'error']],
    ['warn', ['error']],
    ['error', ['error']],
  ] as const)('of %s omits lower levels', async (level, levels) => {
    const { server, lines } = await loggedServer({ access: true, level }, broken)
    expect((await server.inject({ url: '/healthz' })).statusCode).toBe(200)
    expect((await server.inject({ url: list })).statusCode).toBe(500)
    expect([...new Set(lines().map((line) => line.level))].sort()).toEqual([...levels].sort())
  })
})

function broken(engine: Engine): Engine {
  const { byRowNumber } = engine
  if (byRowNumber === undefined) return engine
  const rows = () => Promise.reject(new Error(`nobody foresaw ${own}`))
  return { ...engine, byRowNumber: { ...byRowNumber, rows } }
}

describe('no key is written to the log', () => {
  const texts: string[] = []
  let server: TestServer['server']

  beforeAll(async () => {
    const write = (line: string) => void texts.push(line)
    const log: Log = { access: true, slowRequestMs: 1, level: 'debug', write }
    server = (await buildTestServer(lake, 60_000, slowly, { log, trustProxy: true })).server
  })

  const others = ['api_key', 'apikey', 'access_token', 'token', 'key', 'API_KEY', 'authorization']
  it.each([
    ['the header Authorization', list, { authorization: `Bearer ${own}` }],
    ['the header Authorization, as Basic', list, { authorization: `Basic ${btoa(own)}` }],
    ['the header X-API-Key', list, { 'x-api-key': own }],
    ['the request id', list, { 'x-request-id': own.slice(0, 64) }],
    ['the header User-Agent', list, { 'user-agent': own }],
    ['the header Referer', list, { referer: `https://example.org/?key=${own}` }],
    ['a cookie', list, { cookie: `key=${own}` }],
    ['X-Forwarded-For', list, { 'x-forwarded-for': own }],
    ['X-Forwarded-Host', list, { 'x-forwarded-host': own }],
    ['the path', `/v1/net/l2/makers/${own}`, {}],
    ...others.map((name) => [`the parameter ${name}`, `${list}&${name}=${secret}`, {}] as const),
    ['a parameter that is no key', `${list}&hotspot_key=${own}`, {}],
    ['a fragment of the address', `${list}#${own}`, {}],
  ] as const)('sent in %s', async (_, url, headers) => {
    texts.length = 0
    await server.inject({ url, headers })
    const said = some(texts).join('')
    for (const text of [secret, btoa(own)]) expect(said).not.toContain(text.slice(0, 12))
  })

  it('in an unexpected error', async () => {
    const { server, texts, lines } = await loggedServer({ access: true }, broken)
    await server.inject({ url: list })
    expect(
      lines().some(({ level, msg }) => level === 'error' && msg === 'nobody foresaw ll_fedcfedcfedc_…'),
    ).toBe(true)
    expect(texts.join('')).not.toContain(secret.slice(0, 12))
  })

  it('of an accepted client, whose id and name are logged', async () => {
    const texts: string[] = []
    const log: Log = { access: true, slowRequestMs: 1, write: (line) => void texts.push(line) }
    const { ask, newKey } = await gatedServer(lake, { options: { log }, around: slowly })
    const key = await newKey({ name: 'an operator' })
    await ask(list, key)
    expect(JSON.parse(texts.at(-1) ?? '')).toMatchObject({
      level: 'warn',
      key: key.slice(3, 15),
      name: 'an operator',
    })
    expect(texts.join('')).not.toContain(key.slice(16, 28))
  })
})
