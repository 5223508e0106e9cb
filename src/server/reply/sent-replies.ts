import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Snapshot } from '../../lake/snapshot.ts'
import { requestIdOf } from '../hooks/request-id.ts'
import { whenSent } from './compression.ts'
import { heldTag } from './entity-tag.ts'
import type { ReplyCache, SentReply } from './reply-cache.ts'
import { isWhole } from './representation.ts'

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

/** Sends what it sent to the same request before, without routing it. */
export interface SentReplies {
  /** Replies where the reply is known, and leaves the other requests to others. */
  before(others: RequestListener): RequestListener
  /** Follows what a server replies on the routes that are added afterwards. */
  follow(server: FastifyInstance): void
}

export interface SentRepliesOptions {
  readonly cache: ReplyCache
  /** The snapshot that requests are answered from. */
  readonly current: () => Snapshot | undefined
  /** Whether every reply has to go through the routes, as it does where keys are needed: nothing is the same for everybody then. */
  readonly isRouted: () => boolean
  /** Told of each reply that is sent again. */
  readonly count: (method: string, route: string, status: number, seconds: number) => void
}

/** Headers that every reply has of its own, and those that come with a body. */
const own = new Set(['x-request-id', 'server-timing', 'content-length'])
const ofBody = new Set(['etag', 'content-type', 'content-encoding'])

export function openSentReplies({ cache, current, isRouted, count }: SentRepliesOptions): SentReplies {
  let isClosing = false
  let at: Snapshot | undefined
  let commits = 0

  /** What was sent before a commit is never sent again: the key of a request counts the commits that were seen. */
  function keyOf({ url, headers }: IncomingMessage): string {
    const now = current()
    if (now !== at) commits += 1
    at = now
    return `${commits} ${headers.accept ?? ''}\n${headers['accept-encoding'] ?? ''}\n${url}`
  }

  function keep({ origin, raw, routeOptions }: FastifyRequest, reply: FastifyReply, payload: unknown): void {
    if (origin === null || isRouted() || !isPlain(raw)) return
    const key = keyOf(raw)
    const isBody = reply.statusCode === 200 && isWhole(payload)
    if (origin.at !== at || (!isBody && reply.statusCode !== 304)) return
    if (!isBody && cache.sent(key) !== undefined) return
    const headers = reply.getHeaders()
    const bodyTag = isBody ? String(headers.etag).slice(1, -1) : undefined
    if (isBody && bodyTag !== undefined && cache.known(bodyTag) === undefined) {
      cache.keep(bodyTag, { type: String(headers['content-type']), body: payload })
    }
    cache.keepSent(key, { tag: origin.tag, route: routeOptions.url ?? 'none', headers, bodyTag })
  }

  function reply(request: IncomingMessage, response: ServerResponse): boolean {
    if (isClosing || isRouted() || !isPlain(request)) return false
    const sent = cache.sent(keyOf(request))
    if (sent === undefined) return false
    const begun = performance.now()
    const id = requestIdOf(request)
    const held = heldTag(request.headers['if-none-match'], sent.tag)
    if (held !== undefined) {
      sent.unchanged ??= headersWithout(sent, ofBody)
      response.writeHead(304, ['x-request-id', id, 'etag', held, ...sent.unchanged]).end()
    } else {
      const body = sent.bodyTag === undefined ? undefined : cache.known(sent.bodyTag)?.body
      if (body === undefined) return false
      const more = () => ['server-timing', 'memory', 'content-length', String(Buffer.byteLength(body))]
      sent.whole ??= [...headersWithout(sent), ...more()]
      response.writeHead(200, ['x-request-id', id, ...sent.whole]).end(body)
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
      whenSent(server, keep)
    },
  }
}

/** Headers of requests that others decide by. */
const decisive = ['authorization', 'content-length', 'transfer-encoding', 'x-no-compression']

/** A request of which nothing counts but its address, what it accepts and what it has. */
function isPlain({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && decisive.every((name) => headers[name] === undefined)
}

function headersWithout({ headers }: SentReply, left: ReadonlySet<string> = new Set()): readonly string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    own.has(name) || left.has(name) ? [] : [name, String(value)],
  )
}
