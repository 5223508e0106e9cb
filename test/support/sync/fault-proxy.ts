import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
  type ServerResponse,
} from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import type { StoreUsage } from '../../../src/operate/sync/prices.ts'
import type { Random } from '../../../src/write/sample/random.ts'
import { flipBit } from '../../torture/faults/durable-state.ts'
import { shuffled } from '../network/draw.ts'
import { onLoopback } from '../servers/loopback.ts'

/** Faults of requests and replies, each with its chance. */
const kinds = {
  'server error': 0.03,
  'slow down': 0.03,
  'expired token': 0.004,
  'slow reply': 0.03,
  'cut body': 0.06,
  'damaged body': 0.01,
  'no reply': 0.01,
  /** A write was carried out. */
  'lost reply': 0.05,
  'reordered listing': 0.5,
} as const

type FaultName = keyof typeof kinds

const refusals: readonly (readonly [FaultName, number, string])[] = [
  ['server error', 500, 'InternalError'],
  ['slow down', 503, 'SlowDown'],
  ['expired token', 400, 'ExpiredToken'],
]

export interface FaultProxy {
  readonly endpoint: string
  /** Faults happen; otherwise all goes through. */
  isRough: boolean
  /** A reply to a read takes at least so long. */
  delayMs: number
  /** Requests and bytes of the store, as its bill would have them. */
  bill(): StoreUsage
  /** How often each fault happened. */
  readonly faults: ReadonlyMap<string, number>
  /** Reads that went on from a byte after the first. */
  resumed(): number
  /** Reads whose caller left before their end. */
  left(): number
  /** Resolves while the n-th read from now is being sent. */
  afterReads(count: number): Promise<void>
  stop(): Promise<void>
}

/** Starts a proxy on loopback before a store. Headers go through as they are, so signatures fit. */
export async function startFaultProxy(target: string, random: Random): Promise<FaultProxy> {
  const faults = new Map<string, number>()
  const waiting: { at: number; go: () => void }[] = []
  const bill = { lists: 0, reads: 0, bytes: 0n }
  let [resumed, left] = [0, 0]
  const proxy: FaultProxy = {
    ...{ endpoint: '', isRough: false, delayMs: 0, faults, stop: async () => {} },
    ...{ bill: () => ({ ...bill }), resumed: () => resumed, left: () => left },
    afterReads: (count) => new Promise((go) => void waiting.push({ at: bill.reads + count, go })),
  }

  /** Whether a fault happens now; each question is one draw. */
  function happens(name: FaultName): boolean {
    if (!random.chance(kinds[name]) || !proxy.isRough) return false
    faults.set(name, (faults.get(name) ?? 0) + 1)
    return true
  }

  async function answer(asked: IncomingMessage, reply: ServerResponse): Promise<void> {
    const isRead = /^\/[^/]*\/./.test(new URL(asked.url ?? '/', target).pathname)
    if (asked.method === 'GET') bill[isRead ? 'reads' : 'lists'] += 1
    if (/^bytes=[1-9]/.test(asked.headers.range ?? '')) resumed += 1
    for (const [name, status, code] of refusals) if (happens(name)) return refuse(reply, status, code)
    if (happens('no reply')) return void reply.socket?.resetAndDestroy()
    if (happens('slow reply')) await setTimeout(300 + random.below(1500))
    const { status, headers, body } = await forward(asked, target)
    if (asked.method !== 'GET') {
      if (happens('lost reply')) return void reply.destroy()
      reply.writeHead(status, headers).end(body)
      return
    }
    if (!isRead) {
      const text = happens('reordered listing') ? Buffer.from(reordered(body.toString(), random)) : body
      reply.writeHead(status, { ...headers, 'content-length': text.length }).end(text)
      return
    }
    await setTimeout(proxy.delayMs * (0.5 + random.unit()))
    reply.writeHead(status, headers)
    if (status < 300) await send(body, reply)
    else reply.end(body)
  }

  /** The first half, a moment in which a process may be killed, and the rest. */
  async function send(body: Buffer, reply: ServerResponse): Promise<void> {
    const half = random.below(body.length + 1)
    const isCut = happens('cut body')
    const whole = happens('damaged body') && body.length > 0 ? damaged(body, random) : body
    pass(whole.subarray(0, half), reply)
    const here = bill.reads
    for (const one of waiting.filter(({ at }) => at <= here)) {
      waiting.splice(waiting.indexOf(one), 1)
      one.go()
      await setTimeout(20)
    }
    if (isCut) {
      await setTimeout(5)
      reply.destroy()
      return
    }
    await setTimeout(proxy.delayMs / 4)
    if (reply.destroyed) left += 1
    else pass(whole.subarray(half), reply)
    reply.end()
  }

  function pass(bytes: Buffer, reply: ServerResponse): void {
    if (reply.destroyed || bytes.length === 0) return
    bill.bytes += BigInt(bytes.length)
    reply.write(bytes)
  }

  const server = createServer((asked, reply) => void answer(asked, reply).catch(() => reply.destroy()))
  server.keepAliveTimeout = 60_000
  const { origin, close } = await onLoopback(server)
  return Object.assign(proxy, { endpoint: origin, stop: close })
}

function refuse(reply: ServerResponse, status: number, code: string): void {
  const body = `<?xml version="1.0"?>\n<Error><Code>${code}</Code><Message>${code}</Message></Error>`
  reply.writeHead(status, { 'content-type': 'application/xml' }).end(body)
}

export interface ForwardedReply {
  readonly status: number
  readonly headers: OutgoingHttpHeaders
  readonly body: Buffer
}

export async function forward(asked: IncomingMessage, target: string): Promise<ForwardedReply> {
  const { method = 'GET', headers, url = '/' } = asked
  const sent = asked.pipe(request(`${target}${url}`, { method, headers }))
  const [reply] = (await once(sent, 'response')) as [IncomingMessage]
  const { connection: _, 'transfer-encoding': __, ...own } = reply.headers
  return { status: reply.statusCode ?? 500, headers: own, body: await buffer(reply) }
}

/** A listing with its entries in another order. */
function reordered(xml: string, random: Random): string {
  const entries = xml.match(/<Contents>.*?<\/Contents>/gs) ?? []
  const others = [...shuffled(entries, random)]
  return xml.replace(/<Contents>.*?<\/Contents>/gs, () => others.pop() ?? '')
}

export function damaged(body: Buffer, random: Random): Buffer {
  const copy = Buffer.from(body)
  flipBit(copy, random)
  return copy
}
