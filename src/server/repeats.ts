import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Snapshot } from '../lake/snapshot.ts'
import { openMemory } from './answers/memory.ts'
import { heldTag } from './answers/tag.ts'
import { requestIdOf } from './hooks/request-id.ts'
import type { CountReply } from './metrics.ts'

/** What a reply follows from, besides its request. */
interface Origin {
  readonly at: Snapshot
  readonly tag: string
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set when the same request will have the same reply until something is committed. */
    origin: Origin | null
  }
}

/** Replies that were sent, by what was asked; they are sent again before a request is even taken apart. */
export interface Repeats {
  /** Replies where the reply is known, and leaves the other requests to others. */
  before(others: RequestListener): RequestListener
  /** Follows what a server replies on the routes that are added afterwards. */
  follow(server: FastifyInstance): void
}

export interface RepeatsOptions {
  readonly mostBytes: number
  /** The snapshot that requests are answered from. */
  readonly current: () => Snapshot | undefined
  /** Whether keys are needed: then nothing is the same for everybody. */
  readonly isLocked: () => boolean
  readonly count: CountReply
}

/** A reply as it was sent, with names in small letters. Without a body while callers were only told that they have it. */
interface Sent {
  readonly tag: string
  readonly route: string
  readonly headers: ReturnType<FastifyReply['getHeaders']>
  readonly body: string | Buffer | undefined
  /** Made when it is asked for again, which most are not. */
  ready?: Ready
}

/** Names and values of headers in turn, for callers who have the body already and for the others. */
interface Ready {
  readonly unchanged: readonly string[]
  readonly whole: readonly string[]
}

/** Headers that every reply has of its own, and those that come with a body. */
const own = new Set(['x-request-id', 'server-timing', 'content-length'])
const ofBody = new Set(['etag', 'content-type', 'content-encoding'])

/** What an entry takes beside its body and its address. */
const ENTRY_BYTES = 1024

export function openRepeats({ mostBytes, current, isLocked, count }: RepeatsOptions): Repeats {
  const memory = openMemory<Sent>(
    mostBytes,
    ({ body }, key) => (body?.length ?? 0) + key.length + ENTRY_BYTES,
  )
  let isClosing = false
  let at: Snapshot | undefined

  /** What was sent before a commit is never sent again. */
  function followCommits(): void {
    const now = current()
    if (now === at) return
    memory.clear()
    at = now
  }

  function keep({ origin, raw, routeOptions }: FastifyRequest, reply: FastifyReply, payload: unknown): void {
    if (origin === null || isLocked() || !isPlain(raw)) return
    followCommits()
    const isWhole = reply.statusCode === 200 && (typeof payload === 'string' || Buffer.isBuffer(payload))
    if (origin.at !== at || (!isWhole && reply.statusCode !== 304)) return
    const key = keyOf(raw)
    if (!isWhole && memory.get(key) !== undefined) return
    const body = isWhole ? payload : undefined
    memory.set(key, { tag: origin.tag, route: routeOptions.url ?? 'none', headers: reply.getHeaders(), body })
  }

  function reply(request: IncomingMessage, response: ServerResponse): boolean {
    if (isClosing || isLocked() || !isPlain(request)) return false
    followCommits()
    const sent = memory.get(keyOf(request))
    if (sent === undefined) return false
    const begun = performance.now()
    const held = heldTag(request.headers['if-none-match'], sent.tag)
    if (held === undefined && sent.body === undefined) return false
    sent.ready ??= prepare(sent)
    const id = requestIdOf(request)
    if (held !== undefined) {
      response.writeHead(304, ['x-request-id', id, 'etag', held, ...sent.ready.unchanged]).end()
    } else {
      response.writeHead(200, ['x-request-id', id, ...sent.ready.whole]).end(sent.body)
    }
    count('GET', sent.route, response.statusCode, (performance.now() - begun) / 1000)
    return true
  }

  return {
    before: (others) => (request, response) => {
      if (!reply(request, response)) others(request, response)
    },

    follow(server) {
      server.decorateRequest('origin', null)
      server.addHook('preClose', (done) => {
        isClosing = true
        done()
      })
      server.addHook('onRoute', (route) => {
        route.onSend = [
          ...[route.onSend ?? []].flat(),
          (request, reply, payload, done) => {
            keep(request, reply, payload)
            done(null, payload)
          },
        ]
      })
    },
  }
}

/** Headers of requests that others decide by. */
const decisive = ['authorization', 'content-length', 'transfer-encoding', 'x-no-compression']

/** A request of which nothing counts but its address, what it accepts and what it has. */
function isPlain({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && decisive.every((name) => headers[name] === undefined)
}

function keyOf({ url, headers }: IncomingMessage): string {
  return `${headers['accept-encoding'] ?? ''}\n${url}`
}

function prepare({ headers, body = '' }: Sent): Ready {
  const shared = Object.entries(headers).filter(([name]) => !own.has(name))
  const length = ['content-length', String(Buffer.byteLength(body))]
  return {
    unchanged: inTurn(shared.filter(([name]) => !ofBody.has(name))),
    whole: [...inTurn(shared), 'server-timing', 'memory', ...length],
  }
}

function inTurn(headers: readonly (readonly [string, unknown])[]): string[] {
  return headers.flatMap(([name, value]) => [name, String(value)])
}
