import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { requestIdOf } from '../hooks/reply-headers.ts'
import { whenSent } from './compression.ts'
import { heldTag, isJudgedByTag } from './entity-tag.ts'
import type { ReplyCache, SentReply } from './reply-cache.ts'
import { isWhole, type Whole } from './representation.ts'
import type { SendReply } from './send-reply.ts'

/** What a reply follows from besides its request: the snapshot, and the tag of its representation. */
export interface Origin {
  readonly at: Snapshot
  readonly tag: string
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set where equal requests have equal replies until the next commit. */
    origin: Origin | null
  }
}

/** A reply that was sent, with its header names and values in turn. */
interface JustSent {
  readonly origin: Origin
  readonly route: string
  readonly headers: readonly string[]
  /** Undefined after a 304. */
  readonly body: { readonly tag: string; readonly type: string; readonly bytes: Whole } | undefined
}

/** Sends the same reply to the same request again, without routing it. */
export interface SentReplies {
  /** Replies where the reply is in the cache, and passes other requests on. */
  before(others: RequestListener): RequestListener
  keep(request: IncomingMessage, reply: JustSent): void
  /** Keeps the replies of routes that are added afterwards. */
  follow(server: FastifyInstance): void
}

export interface SentRepliesOptions {
  readonly cache: ReplyCache
  /** The snapshot that requests are answered from. */
  readonly current: () => Snapshot | undefined
  /** Whether every request has to go through the routes, as where keys are needed. */
  readonly isRouted: () => boolean
  readonly send: SendReply
}

/** Fastify keeps the address as it was asked where it was rewritten. */
type AskedMessage = IncomingMessage & { readonly originalUrl?: string | undefined }

/** Headers that differ from reply to reply, and those that a 304 does not repeat. */
const own = new Set(['x-request-id', 'server-timing', 'content-length'])
const ofBody = new Set(['etag', 'content-type', 'content-encoding'])

export function openSentReplies({ cache, current, isRouted, send }: SentRepliesOptions): SentReplies {
  let at: Snapshot | undefined
  let commits = 0

  /** The key of a request has the number of commits seen, so replies from before a commit are never sent again. */
  function keyOf({ url, originalUrl = url, headers }: AskedMessage): string {
    const now = current()
    if (now !== at) commits += 1
    at = now
    return `${commits} ${headers.accept ?? ''}\n${headers['accept-encoding'] ?? ''}\n${originalUrl}`
  }

  function keep(request: IncomingMessage, { origin, route, headers, body }: JustSent): void {
    if (isRouted() || !isPlain(request)) return
    const key = keyOf(request)
    if (origin.at !== at || (body === undefined && cache.sent(key) !== undefined)) return
    if (body !== undefined && !cache.holds(body.tag))
      cache.keep(body.tag, { type: body.type, body: body.bytes })
    cache.keepSent(key, { tag: origin.tag, route, headers, bodyTag: body?.tag })
  }

  /** The same of a reply of Fastify. */
  function keepRouted({ origin, raw, routeOptions }: FastifyRequest, reply: FastifyReply, payload: unknown) {
    const { statusCode } = reply
    const isBody = statusCode === 200 && isWhole(payload)
    if (origin === null || (!isBody && statusCode !== 304)) return
    const named = reply.getHeaders()
    const headers = Object.entries(named).flatMap(([name, value]) => [name, String(value)])
    const tag = String(named.etag).slice(1, -1)
    const body = isBody ? { tag, type: String(named['content-type']), bytes: payload } : undefined
    keep(raw, { origin, route: routeOptions.url ?? 'none', headers, body })
  }

  function reply(request: IncomingMessage, response: ServerResponse): boolean {
    if (isRouted() || !isPlain(request)) return false
    const sent = cache.sent(keyOf(request))
    if (sent === undefined) return false
    const begun = performance.now()
    const id = ['x-request-id', requestIdOf(request)]
    const held = heldTag(request.headers['if-none-match'], sent.tag)
    if (held !== undefined) {
      sent.unchanged ??= headersWithout(sent, ofBody)
      const headers = [...id, 'etag', held, ...sent.unchanged]
      send(response, { status: 304, headers, body: undefined, route: sent.route, begun })
    } else {
      const body = sent.bodyTag === undefined ? undefined : cache.known(sent.bodyTag)?.body
      if (body === undefined) return false
      const more = () => ['server-timing', 'memory', 'content-length', String(Buffer.byteLength(body))]
      sent.whole ??= [...headersWithout(sent), ...more()]
      send(response, { status: 200, headers: [...id, ...sent.whole], body, route: sent.route, begun })
    }
    return true
  }

  return {
    before: (others) => (request, response) => {
      if (!reply(request, response)) others(request, response)
    },

    keep,

    follow(server) {
      server.decorateRequest('origin', null)
      whenSent(server, keepRouted)
    },
  }
}

/** Request headers that only the routes understand. */
const decisive = ['authorization', 'content-length', 'transfer-encoding', 'x-no-compression']

/** Whether a reply depends on nothing but the address, Accept, Accept-Encoding and If-None-Match. */
export function isPlain({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && isJudgedByTag(headers) && decisive.every((name) => headers[name] === undefined)
}

function headersWithout({ headers }: SentReply, left: ReadonlySet<string> = new Set()): readonly string[] {
  const isLeft = (at: number) => [own, left].some((names) => names.has(headers[at - (at % 2)] ?? ''))
  return headers.filter((_, at) => !isLeft(at))
}
