import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Snapshot } from '../../lake/snapshot.ts'
import { requestIdOf } from '../hooks/reply-headers.ts'
import type { Counted } from '../measures/measure.ts'
import { whenSent } from './compression.ts'
import { heldTag } from './entity-tag.ts'
import type { ReplyCache, SentReply } from './reply-cache.ts'
import { isWhole } from './representation.ts'

/** What a reply follows from besides its request: the snapshot, and the tag of its representation. */
interface Origin {
  readonly at: Snapshot
  readonly tag: string
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set where equal requests have equal replies until the next commit. */
    origin: Origin | null
  }
}

/** Sends the same reply to the same request again, without routing it. */
export interface SentReplies {
  /** Replies where the reply is in the cache, and passes other requests on. */
  before(others: RequestListener): RequestListener
  /** Keeps the replies of routes that are added afterwards. */
  follow(server: FastifyInstance): void
}

export interface SentRepliesOptions {
  readonly cache: ReplyCache
  /** The snapshot that requests are answered from. */
  readonly current: () => Snapshot | undefined
  /** Whether every request has to go through the routes, as where keys are needed. */
  readonly isRouted: () => boolean
  /** Called for each reply that is sent again. */
  readonly count: (reply: Counted) => void
}

/** Fastify keeps the address as it was asked where it was rewritten. */
type AskedMessage = IncomingMessage & { readonly originalUrl?: string | undefined }

/** Headers that differ from reply to reply, and those that a 304 does not repeat. */
const own = new Set(['x-request-id', 'server-timing', 'content-length'])
const ofBody = new Set(['etag', 'content-type', 'content-encoding'])

export function openSentReplies({ cache, current, isRouted, count }: SentRepliesOptions): SentReplies {
  let isClosing = false
  let at: Snapshot | undefined
  let commits = 0

  /** The key of a request has the number of commits seen, so replies from before a commit are never sent again. */
  function keyOf({ url, originalUrl = url, headers }: AskedMessage): string {
    const now = current()
    if (now !== at) commits += 1
    at = now
    return `${commits} ${headers.accept ?? ''}\n${headers['accept-encoding'] ?? ''}\n${originalUrl}`
  }

  function keep({ origin, raw, routeOptions }: FastifyRequest, reply: FastifyReply, payload: unknown): void {
    if (origin === null || isRouted() || !isPlain(raw)) return
    const key = keyOf(raw)
    const isBody = reply.statusCode === 200 && isWhole(payload)
    if (origin.at !== at || (!isBody && reply.statusCode !== 304)) return
    if (!isBody && cache.sent(key) !== undefined) return
    const headers = reply.getHeaders()
    const bodyTag = isBody ? String(headers.etag).slice(1, -1) : undefined
    if (isBody && bodyTag !== undefined && !cache.holds(bodyTag)) {
      cache.keep(bodyTag, { type: String(headers['content-type']), body: payload })
    }
    cache.keepSent(key, { tag: origin.tag, route: routeOptions.url ?? 'none', headers, bodyTag })
  }

  function reply(request: IncomingMessage, response: ServerResponse): boolean {
    if (isClosing || isRouted() || !isPlain(request)) return false
    const sent = cache.sent(keyOf(request))
    if (sent === undefined) return false
    const begun = performance.now()
    const { bytesWritten } = request.socket
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
    count({
      ...{ method: 'GET', route: sent.route, status: response.statusCode },
      ...{ seconds: (performance.now() - begun) / 1000, bytes: request.socket.bytesWritten - bytesWritten },
    })
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

/** Request headers that only the routes understand. */
const decisive = ['authorization', 'content-length', 'transfer-encoding', 'x-no-compression']

/** Whether a reply depends on nothing but the address, Accept, Accept-Encoding and If-None-Match. */
function isPlain({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && decisive.every((name) => headers[name] === undefined)
}

function headersWithout({ headers }: SentReply, left: ReadonlySet<string> = new Set()): readonly string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    own.has(name) || left.has(name) ? [] : [name, String(value)],
  )
}
