import { chmodSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { writeOracleFiles } from '../support/lakes/make-lake.ts'
import { copySmallLake } from '../support/lakes/small-lake.ts'
import { type Door, expectPage, type Get, restDoor } from '../support/live/doors.ts'
import { networkFiles, sharesAt, versionsOf } from '../support/live/network.ts'
import { runProgram, type Serving, startServing } from '../support/servers/run-program.ts'
import type { FileLine } from '../support/servers/sharing.ts'
import { some } from '../support/some.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Two servers of one lake, each with a state folder of its own, as they stand behind a balancer; docs/guide/scaling.md. */

const list = '/v1/net/l2/iot-reward-shares'
const totals = `${list}/totals?from=2025-01-28&to=2025-02-01`
const shareFeatures = ['--features', 'HotspotData,OracleData,Aggregates,Share']

function serve(cwd: string, state: string, ...flags: string[]): Promise<Serving> {
  return startServing(['--lake', 'lake', '--state', state, '--port', '0', ...flags], { cwd })
}

async function ingest(cwd: string, file: number): Promise<void> {
  await writeOracleFiles(join(cwd, `in-${file}`), networkFiles(file, file))
  const { code, stderr } = await runProgram(['ingest', `in-${file}`, '--lake', 'lake'], { cwd })
  expect([code, stderr]).toEqual([0, ''])
}

/** Requests to each server in turn, whatever was asked before. */
function inTurns(servers: readonly Serving[]): Door {
  let turn = 0
  const get: Get = async (path) => {
    turn += 1
    const reply = await fetch(`${servers[turn % servers.length]?.address}/v1/net${path}`)
    const snapshot = reply.headers.get('ledgerlake-snapshot') ?? ''
    return { status: reply.status, text: await reply.text(), snapshot }
  }
  return restDoor(get)
}

/** How many lists and totals of IoT shares a server has answered with 200. */
async function answeredBy({ address }: Serving): Promise<number> {
  const text = await (await fetch(`${address}/metrics`)).text()
  const counted =
    /^ledgerlake_requests_total\{method="GET",route="\/v1\/net\/l2\/iot-reward-shares[^"]*",status="200"\} (\d+)$/gm
  return [...text.matchAll(counted)].reduce((sum, [, count]) => sum + Number(count), 0)
}

it('pages of two servers during commits of another process form the list of their snapshot', async () => {
  const COMMITS = 8
  const cwd = await temporaryFolder()
  await ingest(cwd, 0)
  const servers = [await serve(cwd, 'state-a'), await serve(cwd, 'state-b')]
  let isWriting = true
  const writing = (async () => {
    for (let file = 1; file <= COMMITS; file += 1) await ingest(cwd, file)
  })().finally(() => {
    isWriting = false
  })
  const seen = new Set<string>()
  let pagesWalked = 0
  async function walk(door: Door): Promise<void> {
    const { snapshot, pages, shares } = await door.page('iot', 1)
    const walked = [...shares]
    for (let page = 2; page <= pages; page += 1) {
      const next = await door.page('iot', page, snapshot)
      expectPage('iot', page, next)
      walked.push(...next.shares)
    }
    expect(walked).toEqual(sharesAt('iot', versionsOf(snapshot)))
    seen.add(snapshot)
    pagesWalked += pages
  }
  const walkers = Array.from({ length: 3 }, async () => {
    const door = inTurns(servers)
    while (isWriting) await walk(door)
  })
  await Promise.all([writing, ...walkers])
  expect(seen.size).toBeGreaterThan(COMMITS / 2)
  expect(pagesWalked).toBeGreaterThan(2 * seen.size)
  const lasts = async () =>
    Promise.all(
      servers.map(async ({ address }) => {
        const reply = await fetch(`${address}${totals}`)
        return versionsOf(reply.headers.get('ledgerlake-snapshot') ?? '').iot
      }),
    )
  await expect.poll(lasts).toEqual([COMMITS, COMMITS])
  const [a = 0, b = 0] = await Promise.all(servers.map(answeredBy))
  expect(Math.min(a, b)).toBeGreaterThan((a + b) / 4)
})

it('a killed server loses only its own requests, its peer returns the same responses, and so does its successor', async () => {
  const cwd = await temporaryFolder()
  await copySmallLake(join(cwd, 'lake'))
  const paths = [totals, `${list}?per_page=100`, `${list}?page=2&per_page=7`]
  const [a, b] = [await serve(cwd, 'state-a'), await serve(cwd, 'state-b')]
  const ask = async ({ address }: Serving, path: string) => {
    const reply = await fetch(address + path)
    return `${reply.status} ${await reply.text()}`
  }
  const expected = new Map<string, string>()
  for (const path of paths) expected.set(path, await ask(a, path))
  let [isOver, answered, failed] = [false, 0, 0]
  const callers = Array.from({ length: 8 }, async (_, caller) => {
    for (let turn = caller; !isOver; turn += 1) {
      const [path, first, second] = [
        paths[turn % 3] as string,
        turn % 2 === 0 ? a : b,
        turn % 2 === 0 ? b : a,
      ]
      // What a balancer does with a request that no whole reply came to.
      const reply = await ask(first, path).catch(() => {
        expect(first).toBe(b)
        failed += 1
        return ask(second, path)
      })
      expect(reply).toBe(expected.get(path))
      answered += 1
    }
  })
  const more = async (count: number) => {
    for (const until = answered + count; answered < until; ) await setTimeout(2)
  }
  await more(100)
  b.child.kill('SIGKILL')
  await b.finished
  await more(100)
  isOver = true
  await Promise.all(callers)
  expect(failed).toBeGreaterThan(10)
  const again = await serve(cwd, 'state-b')
  for (const path of paths) expect(await ask(again, path)).toBe(expected.get(path))
})

describe('two servers that share one lake', () => {
  async function withReader(): Promise<{ cwd: string; headers: Record<string, string> }> {
    const cwd = await temporaryFolder()
    await copySmallLake(join(cwd, 'lake'))
    const profile = ['--profile', 'reader.share', '--url', 'http://127.0.0.1']
    const flags = ['--name', 'reader', ...shareFeatures, ...profile, '--lake', 'lake']
    expect(await runProgram(['keys', 'add', ...flags], { cwd })).toMatchObject({ code: 0 })
    const { bearerToken } = JSON.parse(readFileSync(join(cwd, 'reader.share'), 'utf8'))
    return { cwd, headers: { authorization: `Bearer ${bearerToken}` } }
  }

  /** Addresses of files that a server signs, without its host. */
  async function signedBy({ address }: Serving, headers: Record<string, string>): Promise<readonly string[]> {
    const path = '/delta-sharing/shares/ledgerlake/schemas/default/tables/iot_reward_shares/query'
    const reply = await fetch(address + path, { method: 'POST', headers, body: '{}' })
    const lines = (await reply.text()).trimEnd().split('\n').slice(2)
    return some(lines).map((line) => (JSON.parse(line).file as FileLine).url.slice(address.length))
  }

  /** What each server sends for each address, and that it is the same. */
  async function fetchedFrom(servers: readonly Serving[], addresses: readonly string[]): Promise<void> {
    for (const address of some(addresses)) {
      const bodies = await Promise.all(
        servers.map(async (server) => {
          const reply = await fetch(server.address + address)
          expect(reply.status, address).toBe(200)
          return Buffer.from(await reply.arrayBuffer())
        }),
      )
      expect(bodies[0]?.toString('latin1', 0, 4)).toBe('PAR1')
      expect(bodies[0]?.equals(bodies[1] as Buffer)).toBe(true)
    }
  }

  it('accept addresses signed by the other', async () => {
    const { cwd, headers } = await withReader()
    const servers = [await serve(cwd, 'state-a', '--share'), await serve(cwd, 'state-b', '--share')]
    for (const server of servers) await fetchedFrom(servers, await signedBy(server, headers))
  })

  it("accept each other's addresses over a read-only lake, where each counts quotas separately", async () => {
    const { cwd, headers } = await withReader()
    const QUOTA = 20
    const terms = ['--name', 'counted', '--features', 'OracleData,Aggregates', '--quota', String(QUOTA)]
    const added = await runProgram(['keys', 'add', ...terms, '--lake', 'lake'], { cwd })
    const key = added.stdout.trim().split('\n').at(-1)
    for (const read of ['keys.ndjson', 'keys.share-secret']) chmodSync(join(cwd, 'lake/_keys', read), 0o644)
    for (const closed of ['', 'lake', 'lake/_keys']) chmodSync(join(cwd, closed), 0o555)
    try {
      const servers: Serving[] = []
      for (const name of ['a', 'b']) {
        const state = join(await temporaryFolder(), name)
        mkdirSync(state)
        chmodSync(join(state, '..'), 0o755)
        chmodSync(state, 0o777)
        const flags = ['--lake', 'lake', '--state', state, '--port', '0', '--share']
        servers.push(await startServing(flags, { cwd, asOther: true }))
      }
      for (const server of servers) await fetchedFrom(servers, await signedBy(server, headers))
      const statuses: number[][] = []
      for (const { address } of servers) {
        const own: number[] = []
        for (let turn = 0; turn < QUOTA + 5; turn += 1)
          own.push((await fetch(address + totals, { headers: { authorization: `Bearer ${key}` } })).status)
        statuses.push(own)
      }
      const each = [...Array(QUOTA).fill(200), ...Array(5).fill(402)]
      expect(statuses).toEqual([each, each])
    } finally {
      for (const opened of ['', 'lake', 'lake/_keys']) chmodSync(join(cwd, opened), 0o755)
    }
  })
})
