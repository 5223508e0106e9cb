import { get } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { iotRewardShares } from '../../../src/catalog/l2/iot-reward-shares.ts'
import type { ServerOptions } from '../../../src/doors/build-server.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { buildTestServer } from '../../support/servers/build-test-server.ts'
import { idAt } from '../../support/tables/snapshot-ids.ts'
import { ms, writeLog } from '../../support/tables/write-log.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { waitFor } from '../../support/wait.ts'

/** What was read of logs, and whether reading older versions waits to be let go. */
const log = vi.hoisted(() => ({
  commits: 0,
  older: [] as { version: number; signal: AbortSignal | undefined }[],
  readingNow: 0,
  mostAtOnce: 0,
  hold: undefined as Promise<void> | undefined,
  /** How many files had their tags read in each turn of the event loop. */
  tagsInTurns: [0],
}))

vi.mock('../../../src/lake/facts/file-tags.ts', async (original) => {
  const real = await original<typeof import('../../../src/lake/facts/file-tags.ts')>()
  return {
    ...real,
    readTags(...given: Parameters<typeof real.readTags>) {
      log.tagsInTurns.push((log.tagsInTurns.pop() ?? 0) + 1)
      return real.readTags(...given)
    },
  }
})

vi.mock('../../../src/lake/log/delta-log.ts', async (original) => {
  const real = await original<typeof import('../../../src/lake/log/delta-log.ts')>()
  return {
    ...real,
    readCommit: (...given: Parameters<typeof real.readCommit>) => {
      log.commits += 1
      return real.readCommit(...given)
    },
    async readTableLog(...given: Parameters<typeof real.readTableLog>) {
      const { version, signal } = given[1] ?? {}
      if (version === undefined) return await real.readTableLog(...given)
      log.older.push({ version, signal })
      log.readingNow += 1
      log.mostAtOnce = Math.max(log.mostAtOnce, log.readingNow)
      try {
        await log.hold
        return await real.readTableLog(...given)
      } finally {
        log.readingNow -= 1
      }
    },
  }
})

afterEach(() => {
  Object.assign(log, { commits: 0, older: [], readingNow: 0, mostAtOnce: 0, hold: undefined })
})

/** Holds the reading of older versions until it is let go. */
function holdReading(): () => void {
  let letGo = () => {}
  log.hold = new Promise((resolve) => {
    letGo = resolve
  })
  onTestFinished(() => letGo())
  return () => letGo()
}

const VERSIONS = 300
const START = ms('2026-01-01T00:00:00Z')
const times = Array.from({ length: VERSIONS }, (_, version) => START + version * 60_000)
const iso = (time: number) => new Date(time).toISOString()
const totals = '/v1/net/l2/iot-reward-shares/totals?from=2025-01-01&to=2025-02-01'
/** Ids of the versions of the log. */
let ids: readonly string[]
const named = (asOf: string | number) => (typeof asOf === 'number' ? ids[asOf] : asOf)
const query = '{ iotRewardShares(hotspotKey: "x") { nodes { id } } }'
const graphql = (asOf: string | number) => `/graphql?as_of=${named(asOf)}&query=${encodeURIComponent(query)}`

let lake: string

beforeAll(async () => {
  lake = await temporaryFolder()
  writeLog(lake, iotRewardShares, times)
  ids = await Promise.all(times.map((_, version) => idAt(lake, iotRewardShares, version)))
})

/** A server over a log of 300 versions; at version v the total is v + 1. */
async function serve(options: Partial<ServerOptions> = {}, folder = lake) {
  const { server } = await buildTestServer(folder, 60_000, undefined, options)
  const ask = async (url: string) => {
    const { statusCode, body, headers } = await server.inject({ url })
    return { status: statusCode, body, headers, code: /"code":"(\w+)"/.exec(body)?.[1] }
  }
  return { server, ask, at: (asOf: string | number) => ask(`${totals}&as_of=${named(asOf)}`) }
}

const totalOf = ({ body }: { body: string }) => Number(/"total_amount":(\d+)/.exec(body)?.[1])

describe('an older snapshot', () => {
  it('is read from the log once for many requests, simultaneous or later', async () => {
    const { at } = await serve()
    const replies = await Promise.all(Array.from({ length: 40 }, () => at(123)))
    expect(replies.map(totalOf)).toEqual(Array.from({ length: 40 }, () => 124))
    expect(totalOf(await at(String(replies[0]?.headers['ledgerlake-snapshot'])))).toBe(124)
    expect(log.older.map(({ version }) => version)).toEqual([123])
  })

  it('takes a request slot, and returns 503 with Retry-After if none is free', async () => {
    const { at, ask, server } = await serve({ mostRequests: 3 })
    const letGo = holdReading()
    const waiting = [10, 20, 30].map(at)
    await waitFor(() => expect(log.older).toHaveLength(2))
    const refused = [await at(40), await at(50), await ask(graphql(60))]
    expect(refused.map(({ status, code }) => [status, code])).toEqual(refused.map(() => [503, 'overloaded']))
    expect(refused.map(({ headers }) => Number(headers['retry-after']))).toEqual([1, 1, 1])
    expect((await server.inject({ url: '/healthz' })).statusCode).toBe(200)
    // What is known needs no place.
    expect(totalOf(await ask(totals))).toBe(VERSIONS)
    letGo()
    expect((await Promise.all(waiting)).map(totalOf)).toEqual([11, 21, 31])
    expect(totalOf(await at(40))).toBe(41)
  })

  it('waits in the queue of all requests: two are read at once, requests without it pass, and too many return 503', async () => {
    // One that is read is estimated at 25 ms, and what a caller has accepted counts twice: sixteen are 800 ms.
    const { at, ask } = await serve({ mostWaitMs: 400 })
    const letGo = holdReading()
    const waiting = Array.from({ length: 16 }, (_, version) => at(version))
    await waitFor(() => expect(log.older).toHaveLength(2))
    const refused = await at(100)
    expect([refused.status, refused.code, refused.headers['retry-after']]).toEqual([503, 'overloaded', '1'])
    const byGraphql = await ask(graphql(101))
    expect([byGraphql.status, byGraphql.code, byGraphql.headers['retry-after']]).toEqual([
      503,
      'overloaded',
      '1',
    ])
    expect((await ask('/graphql?query={status}')).status).toBe(200)
    letGo()
    expect((await Promise.all(waiting)).map(totalOf)).toEqual(waiting.map((_, version) => version + 1))
    expect([log.mostAtOnce, log.older.length]).toEqual([2, 16])
    expect(totalOf(await at(100))).toBe(101)
  })

  it('returns 504 at the request timeout, and releases its slot and its turn', async () => {
    const { at, ask } = await serve({ mostRequests: 4 })
    const letGo = holdReading()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const waiting = Promise.all([at(10), at(20), at(30), ask(graphql(40))])
    expect((await at(50)).status).toBe(503)
    while (log.older.length < 2) await setImmediate()
    vi.advanceTimersByTime(30_000)
    const late = await waiting
    expect(late.map(({ status, code }) => [status, code])).toEqual(late.map(() => [504, 'deadline_exceeded']))
    // Whichever two came first; those behind them never began.
    expect(log.older.map(({ signal }) => signal?.aborted)).toEqual([true, true])
    log.hold = undefined
    expect((await Promise.all([10, 20, 30].map(at))).map(totalOf)).toEqual([11, 21, 31])
    letGo()
  })

  it.each([
    ['REST', () => `${totals}&as_of=${ids[77]}`],
    ['GraphQL', () => graphql(77)],
  ])('is no longer read for %s after its clients have disconnected', async (_, pathOf) => {
    const path = pathOf()
    const { server } = await serve()
    const letGo = holdReading()
    const address = await server.listen({ port: 0 })
    const caller = get(`${address}${path}`, { agent: false }).on('error', () => {})
    await waitFor(() => expect(log.older).toHaveLength(1))
    expect(log.older[0]?.signal?.aborted).toBe(false)
    caller.destroy()
    await waitFor(() => expect(log.older[0]?.signal?.aborted).toBe(true))
    letGo()
  })

  it('of another lake is recognized by one small read of a table', async () => {
    const { at } = await serve()
    const other = await temporaryFolder()
    writeLog(other, iotRewardShares, times, { id: '99999999-2222-4333-8444-555555555555' })
    const [own, foreign] = [await idAt(lake, iotRewardShares, 5), await idAt(other, iotRewardShares, 5)]
    log.older = []
    log.commits = 0
    const refused = await at(foreign)
    expect([refused.status, refused.code]).toEqual([422, 'malformed_request'])
    expect(refused.body).toContain(`as_of is \\"${foreign}\\"; this lake has no such snapshot; `)
    expect([log.older, log.commits]).toEqual([[], 1])
    expect(totalOf(await at(own))).toBe(6)
  })

  it('whose files were vacuumed returns 410, and its log is not read again', async () => {
    const vacuumed = await temporaryFolder()
    writeLog(vacuumed, iotRewardShares, times.slice(0, 20), { replaces: true })
    const { at, ask } = await serve({}, vacuumed)
    const own = await idAt(vacuumed, iotRewardShares, 7)
    const asked = [own, own, iso(times[7] ?? 0)]
    const replies = await Promise.all([...asked.map(at), ask(graphql(own))])
    expect([...replies, await at(own)].map(({ status, code }) => [status, code])).toEqual(
      Array(5).fill([410, 'gone']),
    )
    expect(log.older.map(({ version }) => version)).toEqual([7])
    expect((await at(await idAt(vacuumed, iotRewardShares, 19))).status).toBe(200)
  })

  it('of many files yields to the event loop after sixteen of them', async () => {
    const large = await temporaryFolder()
    writeLog(large, iotRewardShares, times.slice(0, 1), { files: 105 })
    const id = await idAt(large, iotRewardShares, 0)
    log.tagsInTurns = [0]
    let isOver = false
    const reading = new Lake(large).at(id).finally(() => {
      isOver = true
    })
    for (; !isOver; log.tagsInTurns.push(0)) await setImmediate()
    await reading
    expect(log.tagsInTurns.filter((count) => count > 0)).toEqual([...Array(6).fill(16), 9])
  })
})

describe('as_of with an instant', () => {
  it('is the state at that moment, and its snapshot id returns the same response', async () => {
    const { at, ask } = await serve()
    const now = await at(iso(START + 200 * 60_000 + 59_999))
    expect(totalOf(now)).toBe(201)
    const id = String(now.headers['ledgerlake-snapshot'])
    expect(id).toMatch(/^ooc200-[0-9a-f]{12}$/)
    const pinned = await at(id)
    expect([pinned.body, pinned.headers.etag]).toEqual([now.body, now.headers.etag])
    expect((await at(200)).headers['ledgerlake-snapshot']).toBe(id)
    const byGraphql = await ask(graphql(iso(START + 200 * 60_000)))
    expect([byGraphql.status, byGraphql.headers['ledgerlake-snapshot']]).toEqual([200, id])
    const persisted = await ask(`/graphql/iot-reward-shares?hotspotKey=x&as_of=${iso(START + 200 * 60_000)}`)
    expect([persisted.status, persisted.headers['ledgerlake-snapshot']]).toEqual([200, id])
    expect(log.older).toHaveLength(1)
  })

  it('accepts every format of an instant', async () => {
    const { at } = await serve()
    const totals = {
      '2026-01-01': 1,
      '2026-01-01T00:00:59.999999Z': 1,
      '2026-01-01T00:01Z': 2,
      '2026-01-01T02:01:00%2B02:00': 2,
      '2026-01-01T02:01:00+02:00': 2,
      '2026-01-01%2000:02:00': 3,
      '2026-01-01T04:59:00Z': 300,
      '2026-01-02': 300,
    }
    for (const [text, total] of Object.entries(totals)) expect(totalOf(await at(text)), text).toBe(total)
  })

  it('is not cacheable, because a running commit may still count, but its id is', async () => {
    const { at } = await serve()
    const byInstant = await at(iso(times[7] ?? 0))
    expect(byInstant.headers['cache-control']).toBe('public, no-cache')
    const byId = await at(String(byInstant.headers['ledgerlake-snapshot']))
    expect(byId.headers['cache-control']).toBe('public, max-age=86400')
    expect((await at(7)).headers['cache-control']).toBe('public, max-age=86400')
  })

  it('returns 422 with the accepted bounds if it is before the first commit or after now', async () => {
    const { at, ask } = await serve()
    vi.useFakeTimers({ toFake: ['Date'], now: ms('2026-03-01T12:00:00Z') })
    onTestFinished(() => void vi.useRealTimers())
    for (const asOf of ['2025-12-31T23:59:59.999Z', '2026-03-01T12:00:00.001Z', '2000-01-01', '9999-12-31']) {
      const sentence =
        `as_of is "${asOf}"; use an instant from 2026-01-01T00:00:00Z, the first commit of this lake, ` +
        'to 2026-03-01T12:00:00Z, now'
      const { status, body } = await at(asOf)
      expect([status, JSON.parse(body)]).toEqual([
        422,
        { error: `${sentence}.`, code: 'malformed_request', errors: [{ param: 'as_of', message: sentence }] },
      ])
      const byGraphql = await ask(graphql(asOf))
      expect([byGraphql.status, JSON.parse(byGraphql.body).errors[0].message]).toEqual([400, `${sentence}.`])
    }
    expect([(await at('2026-03-01T12:00:00Z')).status, (await at('2026-01-01')).status]).toEqual([200, 200])
    expect(log.older.length).toBeGreaterThan(0)
  })

  it('reads each commit time once, and only those that it needs', async () => {
    const { at } = await serve()
    const asked = [0, 50, 100, 150].map((version) => at(iso(START + version * 60_000)))
    expect((await Promise.all(asked)).map(totalOf)).toEqual([1, 51, 101, 151])
    // Beside the times, sixteen at once, each looks at the one entry that its id names.
    expect(log.commits).toBe(160 + 4)
    log.commits = 0
    expect(totalOf(await at(iso(START + 250 * 60_000)))).toBe(251)
    expect(log.commits).toBe(256 - 160 + 1)
    log.commits = 0
    expect(totalOf(await at(iso(START + 240 * 60_000)))).toBe(241)
    expect(log.commits).toBe(1)
  })

  it('returns 422 and names the accepted forms for any other text', async () => {
    const { at } = await serve()
    const { status, body } = await at('yesterday')
    expect([status, JSON.parse(body).error]).toEqual([
      422,
      'as_of is "yesterday"; use an id from the header Ledgerlake-Snapshot, or an instant such as 2026-07-01T00:00:00Z.',
    ])
  })
})
