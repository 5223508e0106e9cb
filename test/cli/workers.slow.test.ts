import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { smallNetwork, smallOracle } from '../support/fixtures.ts'
import { ingestInto } from '../support/lakes/build-lake.ts'
import { runProgram, type Serving, startServing } from '../support/servers/run-program.ts'
import { askEachWorker, workersOf } from '../support/servers/workers.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const range = 'from=2025-01-28&to=2025-02-01'
const totals = `/v1/net/l2/iot-reward-shares/totals?${range}`
const list = `/v1/net/l2/iot-reward-shares?${range}`
let folder = ''

beforeAll(async () => {
  folder = await temporaryFolder()
  await ingestInto(join(folder, 'lake'), [smallOracle])
})

const serve = (workers: number, ...flags: string[]) =>
  startServing(['--lake', 'lake', '--port', '0', '--workers', String(workers), ...flags], { cwd: folder })

interface Reply {
  readonly status: number
  readonly body: string
}

/** One request; an error when the reply is not whole. */
async function ask(url: string, agent: Agent, key = ''): Promise<Reply> {
  const headers = key === '' ? {} : { authorization: `Bearer ${key}` }
  const [response]: [IncomingMessage] = await new Promise((resolve, reject) => {
    const request = get(url, { agent, headers }, (reply) => resolve([reply]))
    request.once('error', reject)
    // Of a killed worker a reply may never come.
    request.setTimeout(60_000, () => request.destroy(new Error('no reply in a minute')))
  })
  let body = ''
  for await (const part of response.setEncoding('utf8')) body += part
  return { status: response.statusCode ?? 0, body }
}

/** Asks over many connections until it is stopped; gives how often each status and body came, and the errors. */
function load(address: string, paths: readonly string[], connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const bodies = new Map<string, Set<string>>()
  let [answered, failed, isStopped] = [0, 0, false]
  const lanes = Array.from({ length: connections }, async (_, lane) => {
    for (let turn = lane; !isStopped; turn += 1) {
      const path = paths[turn % paths.length] as string
      try {
        const { status, body } = await ask(address + path, agent)
        bodies.set(path, (bodies.get(path) ?? new Set()).add(`${status} ${body}`))
        answered += 1
      } catch {
        failed += 1
        await setTimeout(5)
      }
    }
  })
  return {
    answered: () => answered,
    async stop() {
      isStopped = true
      await Promise.all(lanes)
      agent.destroy()
      return { answered, failed, bodies }
    },
  }
}

const paths = [totals, `${list}&per_page=100`, `${list}&page=2&per_page=7`, `${list}&format=ndjson`]

/** What one process answers, after which the others are judged. */
async function expectedBodies(): Promise<ReadonlyMap<string, string>> {
  const { address, child, finished } = await serve(1)
  const agent = new Agent()
  const pairs: [string, string][] = []
  for (const path of paths) {
    const { status, body } = await ask(address + path, agent)
    pairs.push([path, `${status} ${body}`])
  }
  child.kill()
  await finished
  return new Map(pairs)
}

const seenBodies = (bodies: ReadonlyMap<string, ReadonlySet<string>>) =>
  paths.map((path) => [path, [...(bodies.get(path) ?? [])]])

async function addKey(name: string, ...flags: string[]): Promise<string> {
  const all = [
    'keys',
    'add',
    '--name',
    name,
    '--features',
    'OracleData,Aggregates',
    ...flags,
    '--lake',
    'lake',
  ]
  return (await runProgram(all, { cwd: folder })).stdout.trim().split('\n').at(-1) ?? ''
}

/** Statuses of so many requests, in turns to several servers, over many connections. */
async function statusesOf(servers: readonly Serving[], key: string, tries: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  const replies = await Promise.all(
    Array.from({ length: tries }, async (_, turn) => {
      const url = (servers[turn % servers.length] as Serving).address + totals
      let reply = await ask(url, agent, key)
      // A busy machine refuses requests, which are not counted.
      while (reply.status === 503) {
        await setTimeout(100)
        reply = await ask(url, agent, key)
      }
      return reply
    }),
  )
  agent.destroy()
  return Object.fromEntries(
    [200, 402, 429].map((status) => [status, replies.filter((reply) => reply.status === status).length]),
  )
}

/** Waits until three workers answer. */
async function allListen(address: string, pid: number | undefined): Promise<void> {
  while (workersOf(pid).length < 3) await setTimeout(5)
  await askEachWorker(address, workersOf(pid), '/healthz')
}

const workersEnded = (pids: readonly number[]) =>
  pids.every((pid) => {
    try {
      process.kill(pid, 0)
      return false
    } catch {
      return true
    }
  })

/** A killed process is listed for a moment still, so its end is waited for. */
async function killWorker(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL')
  while (!workersEnded([pid])) await setTimeout(1)
}

describe('without keys', () => {
  it('workers that are killed under load give no wrong reply, and are replaced', async () => {
    const expected = await expectedBodies()
    const { address, child, stderr } = await serve(3, '--most-exports', '100')
    const asking = load(address, paths, 12)
    const rounds = 4
    for (let round = 1; round <= rounds; round += 1) {
      const before = asking.answered()
      while (asking.answered() < before + 50) await setTimeout(5)
      await allListen(address, child.pid)
      await killWorker(workersOf(child.pid)[round % 3] as number)
    }
    await allListen(address, child.pid)
    const { answered, failed, bodies } = await asking.stop()
    expect(seenBodies(bodies)).toEqual(paths.map((path) => [path, [expected.get(path)]]))
    expect(answered).toBeGreaterThan(rounds * 50)
    // A connection has one request under way; those that wait to connect may be cut too.
    expect(failed).toBeLessThan(answered)
    expect(stderr().match(/ended by SIGKILL; its requests were cut off/g)).toHaveLength(rounds)
  })

  it('a restart under load replaces every worker and loses no request', async () => {
    const expected = await expectedBodies()
    const { address, child, stderr } = await serve(3, '--most-exports', '100')
    const before = workersOf(child.pid)
    const asking = load(address, paths, 12)
    while (asking.answered() < 100) await setTimeout(5)
    child.kill('SIGHUP')
    while (!stderr().includes('All 3 workers were replaced.') || !workersEnded(before)) await setTimeout(20)
    const after = asking.answered()
    while (asking.answered() < after + 100) await setTimeout(5)
    const { failed, bodies } = await asking.stop()
    expect(failed).toBe(0)
    expect(seenBodies(bodies)).toEqual(paths.map((path) => [path, [expected.get(path)]]))
    expect(workersOf(child.pid)).toHaveLength(3)
    child.kill()
  })

  it('a stop answers the requests in flight on every worker', async () => {
    const { address, child, finished } = await serve(3)
    const agent = new Agent({ maxSockets: 24 })
    const asked = Array.from({ length: 24 }, () => ask(`${address}${list}&per_page=100`, agent))
    await Promise.race(asked)
    child.kill('SIGTERM')
    const replies = await Promise.allSettled(asked)
    expect((await finished).code).toBe(0)
    const bodies = replies.flatMap((reply) => (reply.status === 'fulfilled' ? [reply.value.body] : []))
    expect(bodies.length).toBeGreaterThan(0)
    expect(new Set(bodies).size).toBe(1)
    // Those whose connection was not accepted yet are refused, and none is cut in the middle.
    const reasons = replies.flatMap((reply) =>
      reply.status === 'rejected' ? [String(reply.reason.code)] : [],
    )
    expect(reasons.filter((code) => !['ECONNREFUSED', 'ECONNRESET'].includes(code))).toEqual([])
  })

  it('a second signal ends all at once', async () => {
    const { child, finished } = await serve(2)
    const workers = workersOf(child.pid)
    child.kill('SIGTERM')
    child.kill('SIGINT')
    await finished
    while (!workersEnded(workers)) await setTimeout(20)
    expect(workers).toHaveLength(2)
  })

  it('workers end when their parent is killed', async () => {
    const { child } = await serve(2)
    const workers = workersOf(child.pid)
    child.kill('SIGKILL')
    while (!workersEnded(workers)) await setTimeout(20)
    expect(workers).toHaveLength(2)
  })

  it('every worker answers GraphQL, whole lists and older snapshots alike, and sees a commit', async () => {
    const other = await temporaryFolder()
    const lake = join(other, 'lake')
    await ingestInto(lake, [smallOracle])
    const { address, child } = await startServing(['--lake', lake, '--port', '0', '--workers', '3'], {
      cwd: other,
    })
    const workers = workersOf(child.pid)
    const bodyOfAll = async (path: string) => {
      const bodies = [...(await askEachWorker(address, workers, path)).values()]
      expect(bodies).toHaveLength(3)
      expect(new Set(bodies).size, path).toBe(1)
      return bodies[0] ?? ''
    }
    const query = encodeURIComponent(
      '{iotRewardShares(first:5){nodes{hotspotKey amount}pageInfo{endCursor}}}',
    )
    expect(await bodyOfAll(`/graphql?query=${query}`)).toContain('"endCursor"')
    const old = JSON.parse(await bodyOfAll('/readyz')).snapshot
    const before = await bodyOfAll(`${list}&per_page=100`)
    await ingestInto(lake, [join(smallNetwork, 'l2')])
    const current = async () => [...(await askEachWorker(address, workers, '/readyz')).values()]
    while ((await current()).some((body) => body.includes(old))) await setTimeout(20)
    expect(await bodyOfAll(`${list}&per_page=100&as_of=${old}`)).toBe(before)
    expect(await bodyOfAll('/v1/net/l2/makers?per_page=3')).toContain('"address"')
  })
})

function expectUsed(listed: string, name: string, used: number): void {
  expect(Number(new RegExp(`"name":"${name}".*"used":(\\d+)\\}`).exec(listed)?.[1])).toBe(used)
}

describe('with keys', () => {
  it('quota and rate are exact over four workers and over two servers', async () => {
    const quota = await addKey('quota', '--quota', '700')
    const rate = await addKey('rate', '--rate', '300')
    const servers = [await serve(4), await serve(2)]
    expect(await statusesOf(servers.slice(0, 1), quota, 500)).toEqual({ 200: 500, 402: 0, 429: 0 })
    expect(await statusesOf(servers, quota, 1000)).toEqual({ 200: 200, 402: 800, 429: 0 })
    expect(await statusesOf(servers, rate, 1000)).toEqual({ 200: 300, 402: 0, 429: 700 })
    const { stdout } = await runProgram(['keys', 'list', '--json', '--lake', 'lake'], { cwd: folder })
    expectUsed(stdout, 'quota', 700)
  })

  it('a killed worker costs a key at most its requests in flight', async () => {
    const key = await addKey('killed', '--quota', '400')
    const { address, child } = await serve(3)
    const agent = new Agent({ keepAlive: true, maxSockets: 12 })
    let answered = 0
    const asked = Array.from({ length: 300 }, async () => {
      const reply = await ask(`${address}${list}&per_page=100`, agent, key).catch(() => undefined)
      if (reply?.status === 200) answered += 1
    })
    for (let kill = 1; kill <= 3; kill += 1) {
      while (answered < kill * 20) await setTimeout(1)
      await killWorker(workersOf(child.pid)[0] as number)
      await allListen(address, child.pid)
    }
    await Promise.all(asked)
    let more = 0
    for (;;) {
      const reply = await ask(address + totals, agent, key)
      if (reply.status === 402) break
      expect(reply.status).toBe(200)
      more += 1
    }
    // Counted ones are those that were answered, and those whose answer was on its way from a worker that was killed.
    expect(answered + more).toBeLessThanOrEqual(400)
    expect(answered + more).toBeGreaterThanOrEqual(400 - 3 * 12)
    const { stdout } = await runProgram(['keys', 'list', '--json', '--lake', 'lake'], { cwd: folder })
    expectUsed(stdout, 'killed', 400)
    agent.destroy()
    child.kill()
    await once(child, 'exit')
  })
})
