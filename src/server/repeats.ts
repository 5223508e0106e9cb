import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Snapshot } from '../lake/snapshot.ts'
import { openMemory } from './answers/memory.ts'
import { heldTag } from './answers/tag.ts'
import { requestIdOf } from './manners/request-id.ts'
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

/** A reply by what it is made of; headers are names and values in turn. */
interface Kept extends Origin {
  readonly route: string
  /** Headers for callers who have the body already. */
  readonly unchanged: readonly string[]
  /** Undefined while nobody else has asked. */
  readonly whole: { readonly headers: readonly string[]; readonly body: string | Buffer } | undefined
}

/** Headers that every reply has of its own, and those that come with a body. */
const own = new Set(['x-request-id', 'server-timing', 'content-length'])
const ofBody = new Set(['etag', 'content-type', 'content-encoding'])

/** What an entry takes beside its body and its address. */
const ENTRY_BYTES = 1024

export function openRepeats({ mostBytes, current, isLocked, count }: RepeatsOptions): Repeats {
  const memory = openMemory<Kept>(
    mostBytes,
    ({ whole }, key) => (whole?.body.length ?? 0) + key.length + ENTRY_BYTES,
  )
  let isClosing = false

  function keep({ origin, raw, routeOptions }: FastifyRequest, reply: FastifyReply, payload: unknown): void {
    const isBody = typeof payload === 'string' || Buffer.isBuffer(payload)
    const isWhole = reply.statusCode === 200 && isBody
    if (origin === null || isLocked() || !isPlain(raw)) return
    if (!isWhole && reply.statusCode !== 304) return
    const key = keyOf(raw)
    if (!isWhole && memory.get(key)?.at === origin.at) return
    const headers = Object.entries(reply.getHeaders()).filter(([name]) => !own.has(name))
    const kept: Kept = {
      ...origin,
      route: routeOptions.url ?? 'none',
      unchanged: inTurn(headers.filter(([name]) => !ofBody.has(name))),
      whole: isWhole ? { headers: [...inTurn(headers), ...headersOf(payload)], body: payload } : undefined,
    }
    memory.set(key, kept)
  }

  function reply(request: IncomingMessage, response: ServerResponse): boolean {
    if (isClosing || isLocked() || !isPlain(request)) return false
    const kept = memory.get(keyOf(request))
    if (kept === undefined || kept.at !== current()) return false
    const { tag, route, unchanged, whole } = kept
    const begun = performance.now()
    const id = requestIdOf(request)
    const held = heldTag(request.headers['if-none-match'], tag)
    if (held !== undefined) {
      response.writeHead(304, ['x-request-id', id, 'etag', held, ...unchanged]).end()
    } else if (whole !== undefined) {
      response.writeHead(200, ['x-request-id', id, ...whole.headers]).end(whole.body)
    } else return false
    count('GET', route, response.statusCode, (performance.now() - begun) / 1000)
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

function inTurn(headers: readonly (readonly [string, unknown])[]): string[] {
  return headers.flatMap(([name, value]) => [name, String(value)])
}

function headersOf(body: string | Buffer): readonly string[] {
  return ['server-timing', 'memory', 'content-length', String(Buffer.byteLength(body))]
}
