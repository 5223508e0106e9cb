import { setTimeout } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../../src/engine/engine.ts'
import { aroundRows } from '../../support/around-rows.ts'
import {
  hotspot,
  type MadeLake,
  makeLake,
  makeOtherLake,
  thirtyShares,
} from '../../support/lakes/make-lake.ts'
import { buildTestServer, type TestServer } from '../../support/servers/build-test-server.ts'
import { gatedServer } from '../../support/servers/gated-server.ts'

const list = '/v1/net/l2/iot-reward-shares?from=2025-01-01&to=2025-03-01'
const totals = '/v1/net/l2/iot-reward-shares/totals?from=2025-01-01&to=2025-03-01'

let lake: MadeLake
beforeAll(async () => {
  lake = await makeLake({
    'iot/iot_reward_share.1.gz': thirtyShares('2025-01-10'),
    'iot/iot_reward_share.2.gz': thirtyShares('2025-02-10'),
  })
})

const ask = ({ server }: TestServer, url: string, headers: Record<string, string> = {}) =>
  server.inject({ url, headers })

async function serverOf(options = {}, around?: (engine: Engine) => Engine, refreshMs = 60_000) {
  const server = await buildTestServer(lake.folder, refreshMs, around, { answerMemoryMb: 8, ...options })
  return server
}

describe('the ETag', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await serverOf()
  })

  it.each([
    list,
    totals,
    `${totals}&hotspot_key=${hotspot(3).text}`,
    '/graphql?query={status}',
    '/graphql/iot-reward-shares?first=2',
    '/openapi.json',
    '/docs',
    '/llms.txt',
    '/',
    '/healthz',
  ])('of %s is sent, and If-None-Match with it returns 304 without a body', async (url) => {
    const first = await ask(server, url)
    const tag = String(first.headers.etag)
    expect([first.statusCode, tag]).toEqual([200, expect.stringMatching(/^"[\w-]{27}"$/)])
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`]) {
      const again = await ask(server, url, { 'if-none-match': known })
      expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', tag])
      expect(again.headers['content-type']).toBeUndefined()
      expect(again.headers['cache-control']).toBe(first.headers['cache-control'])
    }
    const head = await server.server.inject({ method: 'HEAD', url, headers: { 'if-none-match': tag } })
    expect([head.statusCode, head.body, head.headers.etag]).toEqual([304, '', tag])
    expect((await ask(server, url, { 'if-none-match': '"other"' })).body).toBe(first.body)
  })

  it('answers If-None-Match without a statement', async () => {
    const { headers } = await ask(server, list)
    const before = server.engine.work().statements
    expect((await ask(server, list, { 'if-none-match': String(headers.etag) })).statusCode).toBe(304)
    expect(server.engine.work().statements).toBe(before)
  })

  it('differs between different requests, and is equal for two spellings of one request', async () => {
    const tagOf = async (url: string) => (await ask(server, url)).headers.etag
    const different = [
      list,
      totals,
      `${list}&page=2`,
      `${list}&per_page=26`,
      `${list}&reward_type=gateway_reward`,
      `${list}&integers=string`,
      list.replace('01-01', '01-02'),
      list.replace('iot', 'mobile'),
      `${list}&hotspot_key=${hotspot(1).text}`,
    ]
    expect(new Set(await Promise.all(different.map(tagOf))).size).toBe(different.length)
    const same = `${list.replace('2025-01-01', '2025-01-01T00:00:00Z')}&page=1&per_page=25&hotspot_key=`
    expect(await tagOf(same)).toBe(await tagOf(list))
  })

  it('is missing on errors, which are sent in full for If-None-Match: *', async () => {
    const { headers, statusCode } = await ask(server, `${list}&page=0`, { 'if-none-match': '*' })
    expect([statusCode, headers.etag]).toEqual([422, undefined])
    expect((await ask(server, '/v1/net/l2/makers/x', { 'if-none-match': '*' })).statusCode).toBe(404)
  })

  it('of a compressed response has the suffix -gzip, and both tags return 304 for either', async () => {
    const plain = await ask(server, list)
    const packed = await ask(server, list, { 'accept-encoding': 'gzip' })
    expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body)
    const tag = String(plain.headers.etag)
    expect(packed.headers.etag).toBe(`${tag.slice(0, -1)}-gzip"`)
    for (const known of [tag, String(packed.headers.etag)]) {
      const again = await ask(server, list, { 'accept-encoding': 'gzip', 'if-none-match': known })
      expect(again.statusCode).toBe(304)
    }
  })
})

it('a commit changes the tags of responses from its table, and of no others', async () => {
  const own = await makeLake({ 'iot/iot_reward_share.1.gz': thirtyShares('2025-01-10') })
  const server = await buildTestServer(own.folder, 100, undefined, { answerMemoryMb: 8 })
  const makers = '/v1/net/l2/makers'
  const tags = async () => [(await ask(server, list)).headers.etag, (await ask(server, makers)).headers.etag]
  const [shares, others] = await tags()
  const { body } = await ask(server, list)
  await own.add({ 'iot/iot_reward_share.2.gz': thirtyShares('2025-02-10') })
  while ((await tags())[0] === shares) await setTimeout(10)
  expect((await tags())[1]).toBe(others)
  expect((await ask(server, list)).body).not.toBe(body)
})

it('two lakes with the same versions have different tags and snapshot ids', async () => {
  const other = await makeOtherLake({
    'iot/iot_reward_share.1.gz': thirtyShares('2025-01-10'),
    'iot/iot_reward_share.2.gz': thirtyShares('2025-02-10'),
  })
  const server = await buildTestServer(other.folder)
  const [ours, theirs] = [await ask(await serverOf(), list), await ask(server, list)]
  const ids = [ours, theirs].map(({ headers }) => String(headers['ledgerlake-snapshot']))
  expect(ids.map((id) => id.split('-')[0])).toEqual(['ooc0', 'ooc0'])
  expect(ids[0]).not.toBe(ids[1])
  expect(theirs.headers.etag).not.toBe(ours.headers.etag)
})

describe('Cache-Control', () => {
  it('allows a day for a range that ended a week before the newest period, and for a named snapshot', async () => {
    const server = await serverOf()
    const control = async (url: string) => (await ask(server, url)).headers['cache-control']
    const snapshot = (await ask(server, list)).headers['ledgerlake-snapshot']
    expect(await control(list)).toBe('public, no-cache')
    expect(await control(`${list}&as_of=${snapshot}`)).toBe('public, max-age=86400')
    expect(await control(list.replace('to=2025-03-01', 'to=2025-02-02'))).toBe('public, max-age=86400')
    expect(await control(list.replace('to=2025-03-01', 'to=2025-02-03'))).toBe('public, no-cache')
    expect(await control('/v1/net/l2/makers')).toBe('public, no-cache')
    const closed = '/v1/net/l2/iot-reward-shares/totals'
    const range = 'from=2025-01-01&to=2025-02-02'
    expect(await control(`${closed}/series?${range}`)).toBe('public, max-age=86400')
    // Owners are those of now, and coverage names the newest day.
    for (const asked of ['group_by=owner', 'group_by=maker', 'owner=x', 'maker_id=x', 'coverage=true'])
      expect(await control(`${closed}/series?${range}&${asked}`)).toBe('public, no-cache')
    expect(await control(`${closed}?${range}&coverage=true`)).toBe('public, no-cache')
  })

  it('is private for a request with a key', async () => {
    const { ask: askGate, newKey } = await gatedServer(lake.folder)
    expect((await askGate(list, await newKey())).headers['cache-control']).toBe('private, no-cache')
  })
})

describe('the response cache', () => {
  it('returns the same bytes without a statement, and says so in Server-Timing', async () => {
    const server = await serverOf()
    const first = await ask(server, list)
    const before = server.engine.work().statements
    const again = await ask(server, list)
    expect(server.engine.work().statements).toBe(before)
    expect(again.body).toBe(first.body)
    expect(first.headers['server-timing']).toMatch(/^lake;dur=[\d.]+;desc="engine, statements 1, files 1"$/)
    expect(again.headers['server-timing']).toBe('memory')
    expect((await ask(server, totals)).headers['server-timing']).toMatch(/desc="log"$/)
  })

  it('is off with a size of 0', async () => {
    const server = await serverOf({ answerMemoryMb: 0 })
    await ask(server, list)
    const before = server.engine.work().statements
    await ask(server, list)
    expect(server.engine.work().statements).toBe(before + 1)
  })

  /** Rows come when they are let go. */
  function held() {
    const waiting: (() => void)[] = []
    let aborted = 0
    const around = (engine: Engine) =>
      aroundRows(engine, async (plan, signal, next) => {
        if (plan.resource.name !== 'iot_reward_shares') return await next()
        await new Promise<void>((resolve, reject) => {
          waiting.push(resolve)
          signal?.addEventListener('abort', () => {
            aborted += 1
            reject(signal.reason)
          })
        })
        return await next()
      })
    return { around, waiting, aborted: () => aborted }
  }

  it('computes a response once for simultaneous requests', async () => {
    const { around, waiting } = held()
    const server = await serverOf({ answerMemoryMb: 0 }, around)
    const asking = Array.from({ length: 5 }, () => ask(server, list))
    while (waiting.length === 0) await setTimeout(5)
    await setTimeout(30)
    expect(waiting).toHaveLength(1)
    for (const letGo of waiting) letGo()
    const replies = await Promise.all(asking)
    expect(new Set(replies.map(({ body }) => body)).size).toBe(1)
    expect(replies.every(({ statusCode }) => statusCode === 200)).toBe(true)
  })

  it('aborts a response when its last client has gone, and computes it again for the next one', async () => {
    const { around, waiting, aborted } = held()
    const server = await serverOf({ requestTimeoutMs: 1500 }, around)
    expect((await ask(server, list)).statusCode).toBe(504)
    expect(aborted()).toBe(1)
    const again = ask(server, list)
    while (waiting.length < 2) await setTimeout(2)
    waiting[1]?.()
    expect((await again).statusCode).toBe(200)
  })
})
