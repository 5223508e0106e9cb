import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Engine } from '../../../src/engine/engine.ts'
import { aroundRows } from '../../support/around-rows.ts'
import { smallLake } from '../../support/lakes/small-lake.ts'
import { gatedServer, type Reply } from '../../support/servers/gated-server.ts'
import { waitFor } from '../../support/wait.ts'

const makers = '/v1/net/l2/makers'
const shares = '/v1/net/l2/iot-reward-shares?from=2025-01-28&to=2025-02-01'
const listOfShares = '{iotRewardShares(hotspotKey:"x"){nodes{id}}}'

let lake: string

beforeAll(async () => {
  lake = await smallLake()
})

/** Rows of makers come only when they are let go. */
function held() {
  const waiting: (() => void)[] = []
  const around = (engine: Engine): Engine => ({
    ...engine,
    async rows(plan, at, signal) {
      if (plan.resource.name === 'makers') await new Promise<void>((resolve) => waiting.push(resolve))
      return await engine.rows(plan, at, signal)
    },
  })
  /** Lets go whoever waits until all of these are answered. */
  async function answered(replies: readonly Promise<Reply>[]): Promise<readonly Reply[]> {
    const all = Promise.all(replies)
    await waitFor(async () => {
      for (const go of waiting.splice(0)) go()
      expect(await Promise.race([all, undefined])).toHaveLength(replies.length)
    })
    return await all
  }
  return { around, waiting, answered }
}

/** A page of makers is estimated at 1 ms, and what a caller has accepted counts twice: five are 10 ms. */
const FIVE = { mostWaitMs: 5, engineConnections: 1 }

async function filled(terms = {}) {
  const { around, waiting, answered } = held()
  const server = await gatedServer(lake, { around, options: FIVE })
  const key = await server.newKey(terms)
  const under = [1, 2, 3, 4, 5].map((size) => server.ask(`${makers}?per_page=${size}`, key))
  await waitFor(() => expect(waiting).toHaveLength(4))
  return { ...server, key, under, answered }
}

describe('a client with a full queue', () => {
  it('gets 503, then without planning or quota, while another client is served', async () => {
    const { ask, newKey, key, under, answered } = await filled({ quotaPer30Days: 10 })
    const first = await ask(makers, key)
    expect([first.status, first.code, first.headers['retry-after']]).toEqual([503, 'overloaded', '1'])
    const next = await ask(`${makers}?per_page=many`, key)
    expect([next.status, next.text]).toEqual([503, first.text])
    expect(next.headers).toMatchObject({
      ...{ 'retry-after': '1', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
      ...{ 'content-type': 'application/json; charset=utf-8', 'x-request-id': expect.any(String) },
    })
    expect(next.headers).not.toHaveProperty('ledgerlake-quota-remaining')
    const other = await newKey()
    expect((await ask(`${makers}?per_page=many`, other)).status).toBe(422)
    const served = await answered([...under, ask(`${makers}?per_page=6`, other)])
    expect(served.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
    const [last] = await answered([ask(makers, key)])
    expect(last?.headers['ledgerlake-quota-remaining']).toBe('4')
  })

  it('appears in the metrics, and still gets responses that need no slot', async () => {
    const { ask, test, key, answered, under } = await filled()
    await ask(makers, key)
    await ask(makers, key)
    const { text } = await ask('/metrics')
    const of = (name: string) => Number(new RegExp(`^ledgerlake_work_${name} (\\S+)$`, 'm').exec(text)?.[1])
    expect([of('running'), of('waiting'), of('refused_total')]).toEqual([4, 1, 2])
    expect(of('backlog_seconds')).toBeCloseTo(0.005, 4)
    const statements = test.engine.load?.().statements
    const totals = await ask('/v1/net/l2/iot-reward-shares/totals?from=2025-01-28&to=2025-02-01', key)
    expect([totals.status, test.engine.load?.().statements]).toEqual([200, statements])
    await answered(under)
  })

  it('gets 503 over GraphQL before the body is parsed, and its connection stays usable', async () => {
    const { test, key, answered, under } = await filled()
    await test.server.listen({ host: '127.0.0.1', port: 0 })
    const { port } = test.server.server.address() as AddressInfo
    expect((await sendPost(port, key, JSON.stringify({ query: listOfShares }))).status).toBe(503)
    const post = await sendPost(port, key, 'this is no JSON')
    expect([post.status, JSON.parse(post.text)]).toEqual([
      503,
      { errors: [{ message: expect.stringContaining('Retry-After'), extensions: { code: 'overloaded' } }] },
    ])
    await answered(under)
    expect((await sendPost(port, key, '{"query":"{status}"}')).text).toBe('{"data":{"status":"ok"}}')
  })
})

async function sendPost(port: number, key: string, body: string): Promise<{ status: number; text: string }> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const sent = request({ port, host: '127.0.0.1', method: 'POST', path: '/graphql', headers })
  sent.end(body)
  const [reply] = await once(sent, 'response')
  return { status: reply.statusCode, text: (await buffer(reply)).toString() }
}

describe('the request timeout', () => {
  /** Nothing but manifests comes, and no signal is listened to. */
  const deaf = (engine: Engine): Engine => {
    const stuck = () => new Promise<never>(() => {})
    async function* stuckStream() {
      yield await stuck()
    }
    const around = aroundRows(engine, (plan, _signal, next) =>
      plan.resource.name === 'reward_manifests' ? next() : stuck(),
    )
    return {
      ...around,
      byRowNumber: around.byRowNumber && { ...around.byRowNumber, columns: stuckStream },
      count: stuck,
      sums: stuck,
      rowBatches: stuckStream,
    }
  }

  it('ends every response with deadline_exceeded although the engine ignores aborts, and releases its slot', async () => {
    const exports = { most: 1, timeoutMs: 300, stallMs: 30_000 }
    const { ask, newKey } = await gatedServer(lake, {
      around: deaf,
      options: { requestTimeoutMs: 300, exports },
    })
    const key = await newKey()
    const pages = await Promise.all([ask(shares, key), ask(`${shares}&page=2`, key), ask(`${makers}/x`, key)])
    const counted = await ask(`${makers}?format=csv`, key)
    const streamed = await ask(`${shares}&format=csv`, key)
    const late = [...pages, counted, streamed].map(({ status, code }) => [status, code])
    expect(late).toEqual(Array(5).fill([504, 'deadline_exceeded']))
    const { status, text } = await ask(`/graphql?query=${encodeURIComponent(listOfShares)}`, key)
    expect([status, JSON.parse(text).errors]).toMatchObject([
      200,
      [{ path: ['iotRewardShares'], extensions: { code: 'deadline_exceeded' } }],
    ])
    const metrics = (await ask('/metrics')).text
    expect(metrics).toMatch(/^ledgerlake_work_running 0$/m)
    expect(metrics).toMatch(/^ledgerlake_requests_running\{kind="export"\} 0$/m)
  })
})
