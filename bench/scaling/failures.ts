import { Agent, get } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import type { Asked } from '../support/load-process.ts'
import type { Serving } from '../support/program.ts'
import type { Balancer } from './balancer.ts'

/** What callers of the balancer see when one of two servers goes, in which way, and when it comes back. */

const kinds = ['SIGTERM', 'SIGKILL', 'SIGSTOP'] as const

export type FailureKind = (typeof kinds)[number]

export interface Failure {
  readonly kind: FailureKind
  /** Replies from the failure until the balancer has left the server aside and for as long again. */
  readonly answers: number
  /** Those other than 200 with the right body, by status; `none` where no whole reply came. */
  readonly failed: Readonly<Record<string, number>>
  /** From the failure to the last of them; null when there was none. */
  readonly lastFailedMs: number | null
  /** The longest that a request took which was answered. */
  readonly longestMs: number
  /** From the failure to the balancer's last choice of the server. */
  readonly leftAsideMs: number
}

/** How a server that is started again gets its first request; milliseconds from the start of the process. */
export interface Return {
  readonly readyMs: number
  readonly firstChosenMs: number
  /** Requests that were sent to it while its `/readyz` was 503, in `unreadyMs`. */
  readonly chosenUnready: number
  readonly unreadyMs: number
}

interface Reply {
  readonly at: number
  readonly ms: number
  /** Undefined when it is 200 with the right body. */
  readonly fault: string | undefined
}

const LANES = 32
const BEFORE_MS = 1000
const AFTER_MS = 6000
const LOOK_MS = 10
const UNREADY_MS = 3000

/** Sends a signal to a server that the balancer calls `name`, while callers ask. SIGSTOP is a machine that is gone without a word. */
export async function fail(
  kind: FailureKind,
  server: Serving,
  name: string,
  balancer: Balancer,
  asked: readonly Asked[],
): Promise<Failure> {
  const asking = askOver(balancer, asked)
  await setTimeout(BEFORE_MS)
  const began = performance.now()
  process.kill(server.pid, kind)
  let [chosen, lastChosen] = [await chosenOf(balancer, name), began]
  while (performance.now() - began < AFTER_MS) {
    await setTimeout(LOOK_MS)
    const now = await chosenOf(balancer, name)
    if (now !== chosen) [chosen, lastChosen] = [now, performance.now()]
  }
  const replies = (await asking.stop()).filter(({ at }) => at >= began)
  const failed: Record<string, number> = {}
  for (const { fault } of replies) if (fault !== undefined) failed[fault] = (failed[fault] ?? 0) + 1
  const lastFailed = replies.filter(({ fault }) => fault !== undefined).at(-1)
  return {
    kind,
    answers: replies.length,
    failed,
    lastFailedMs: lastFailed === undefined ? null : lastFailed.at - began,
    longestMs: Math.max(...replies.filter(({ fault }) => fault === undefined).map(({ ms }) => ms)),
    leftAsideMs: lastChosen - began,
  }
}

/** Starts a server over an empty lake in the place of one that is gone, then the real one, and looks when each is chosen. */
export async function comeBack(
  startEmpty: () => Promise<Serving>,
  start: () => Promise<Serving>,
  name: string,
  balancer: Balancer,
  asked: readonly Asked[],
): Promise<{ readonly server: Serving; readonly seen: Return }> {
  const asking = askOver(balancer, asked)
  const before = await chosenOf(balancer, name)
  const empty = await startEmpty()
  await setTimeout(UNREADY_MS)
  const chosenUnready = (await chosenOf(balancer, name)) - before
  await empty.stop()
  const began = performance.now()
  const starting = start()
  const port = Number(new URL(empty.address).port)
  let readyAt = 0
  let chosenAt = 0
  while (chosenAt === 0) {
    if (readyAt === 0 && (await isReady(port))) readyAt = performance.now()
    if ((await chosenOf(balancer, name)) > before + chosenUnready) chosenAt = performance.now()
    else await setTimeout(LOOK_MS)
  }
  const faults = (await asking.stop()).flatMap(({ fault }) => fault ?? [])
  if (faults.length > 0) throw new Error(`requests failed while ${name} came back: ${faults.join(' ')}`)
  const seen = {
    readyMs: readyAt - began,
    firstChosenMs: chosenAt - began,
    chosenUnready,
    unreadyMs: UNREADY_MS,
  }
  return { server: await starting, seen }
}

async function chosenOf(balancer: Balancer, name: string): Promise<number> {
  return (await balancer.look()).get(name)?.chosen ?? 0
}

function isReady(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  )
}

/** Asks over many connections, one request at a time on each, until it is stopped. */
function askOver({ address }: Balancer, asked: readonly Asked[]) {
  const agent = new Agent({ keepAlive: true, maxSockets: LANES })
  const replies: Reply[] = []
  let isOver = false
  const lanes = Array.from({ length: LANES }, async (_, lane) => {
    for (let turn = lane; !isOver; turn += LANES) {
      const { path, body } = asked[turn % asked.length] as Asked
      const began = performance.now()
      const fault = await faultOf(address + path, agent, String(body))
      replies.push({ at: performance.now(), ms: performance.now() - began, fault })
    }
  })
  return {
    async stop(): Promise<readonly Reply[]> {
      isOver = true
      await Promise.all(lanes)
      agent.destroy()
      return replies
    },
  }
}

/** Undefined for 200 with the right body. Errors: a wrong body. */
function faultOf(url: string, agent: Agent, expected: string): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part) => {
        text += part
      })
      response.once('error', () => resolve('none'))
      response.once('end', () => {
        if (!response.complete) resolve('none')
        else if (response.statusCode !== 200) resolve(String(response.statusCode))
        else if (text === expected) resolve(undefined)
        else reject(new Error(`${url}: ${text} instead of ${expected}`))
      })
    })
    request.once('error', () => resolve('none'))
  })
}
