import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { cpuSeconds } from '../../../../bench/support/cpu-seconds.ts'
import { type Question, questionsOf, type Subject } from './questions.ts'

/** What one question cost a server. */
export interface Cost {
  readonly question: Question
  readonly status: number
  readonly ms: number
  readonly bytes: number
  /** The longest time that /healthz took meanwhile: it needs three turns of the event loop. */
  readonly healthMs: number
  /** Time on a core of the server. */
  readonly cpuMs: number
  readonly rssMb: number
  /** The same, in the second after a client left in the middle of the answer; undefined for quick ones. */
  readonly cpuAfterLeavingMs: number | undefined
}

/** A question that is answered sooner cannot be left in its middle. */
const LEFT_ABOVE_MS = 150
const PING_EVERY_MS = 5
const MEGABYTE_KB = 1024

/** Asks a served lake the dearest question of each operation, one after the other. */
export async function measureHolds(address: string, pid: number): Promise<readonly Cost[]> {
  const costs: Cost[] = []
  for (const question of questionsOf(await subjectOf(address)))
    costs.push(await costOf(address, pid, question))
  return costs
}

async function costOf(address: string, pid: number, question: Question): Promise<Cost> {
  const pings = ping(address)
  const [cpu, begun] = [cpuMsOf(pid), performance.now()]
  const { status, bytes } = await ask(address, question)
  const ms = performance.now() - begun
  const cpuMs = cpuMsOf(pid) - cpu
  const healthMs = await pings.stop()
  const rssMb = rssMbOf(pid)
  const isLeft = status === 200 && ms > LEFT_ABOVE_MS
  const cpuAfterLeavingMs = isLeft ? await leave(address, pid, question, ms / 3) : undefined
  return { question, status, ms, bytes, healthMs, cpuMs, rssMb, cpuAfterLeavingMs }
}

/** Leaves after some ms, and says how busy the server is from 100 ms later on for a second. */
async function leave(address: string, pid: number, question: Question, afterMs: number): Promise<number> {
  const gone = new AbortController()
  const asked = ask(address, question, gone.signal).catch(() => {})
  await setTimeout(afterMs)
  gone.abort()
  await asked
  await setTimeout(100)
  const before = cpuMsOf(pid)
  await setTimeout(1000)
  return cpuMsOf(pid) - before
}

/** The reply is read to its end and not kept. */
async function ask(address: string, { path, body }: Pick<Question, 'path' | 'body'>, signal?: AbortSignal) {
  const reply = await fetch(`${address}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...{ accept: 'application/json, text/event-stream', 'accept-encoding': 'identity' },
      'content-type': 'application/json',
    },
    redirect: 'manual',
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: signal ?? null,
  })
  let bytes = 0
  for await (const piece of reply.body ?? []) bytes += piece.length
  return { status: reply.status, bytes }
}

function ping(address: string): { stop(): Promise<number> } {
  let [longest, isOver] = [0, false]
  async function pings() {
    while (!isOver) {
      const begun = performance.now()
      await (await fetch(`${address}/healthz`)).arrayBuffer()
      longest = Math.max(longest, performance.now() - begun)
      await setTimeout(PING_EVERY_MS)
    }
    return longest
  }
  const pinging = pings()
  return {
    stop() {
      isOver = true
      return pinging
    },
  }
}

const cpuMsOf = (pid: number) => cpuSeconds(pid) * 1000

function rssMbOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / MEGABYTE_KB
}

/** The whole range of a lake, its greatest owner, one of its hotspots, and a thousand keys. */
async function subjectOf(address: string): Promise<Subject> {
  const read = async (path: string) => await (await fetch(`${address}/v1/net${path}`)).text()
  const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found)
  const status = await read('/status')
  const periods = all(status, /"(?:first|last)_period":"([^"]+)"/g).filter((period) => period > '2024')
  const sorted = [...periods].sort()
  const from = sorted[0]?.slice(0, 10) ?? '2025-01-01'
  const last = Date.parse(sorted.at(-1) ?? '2025-03-01')
  const to = new Date(last + 86_400_000).toISOString().slice(0, 10)
  const range = `from=${from}&to=${to}&interval=all`
  const series = await read(`/l2/iot-reward-shares/totals/series?${range}&group_by=owner&limit=1`)
  const keys: string[] = []
  for (let page = 1; page <= 10; page += 1)
    keys.push(...all(await read(`/l2/hotspots?per_page=100&page=${page}`), /"ecc_key":"(\w+)"/g))
  const [owner = 'nobody'] = all(series, /"group":"(\w+)"/g)
  return { from, to, hotspot: keys[0] ?? 'none', owner, keys: [...new Set(keys)] }
}
