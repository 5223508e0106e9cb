import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { requestIdOf } from '../hooks/reply-headers.ts'
import { afterCompression } from './compression.ts'
import { isDecidedByTag, matchingTag } from './entity-tag.ts'
import type { ReplyCache, SentReply } from './reply-cache.ts'
import { isWhole, type WholeBody } from './representation.ts'
import type { SendReply } from './send-reply.ts'

/** Snapshot and tag of a response that is a function of its request. */
export interface ReplyOrigin {
  readonly at: Snapshot
  readonly tag: string
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set if equal requests get equal responses until the next commit. */
    origin: ReplyOrigin | null
  }
}

/** A response that was just sent, with header names and values in turn. */
interface JustSent {
  readonly origin: ReplyOrigin
  readonly route: string
  readonly headers: readonly string[]
  /** Undefined after a 304. */
  readonly body: { readonly tag: string; readonly type: string; readonly bytes: WholeBody } | undefined
}

/** Repeats the response to an equal request without routing it. */
export interface SentReplies {
  /** Passes requests without a cached response to `next`. */
  before(next: RequestListener): RequestListener
  keep(request: IncomingMessage, reply: JustSent): void
  /** Caches the responses of routes that are added afterwards. */
  follow(server: FastifyInstance): void
}

export interface SentRepliesOptions {
  readonly cache: ReplyCache
  /** Returns the newest snapshot. */
  readonly current: () => Snapshot | undefined
  /** Returns true if all requests must be routed, for example when keys are needed. */
  readonly isRouted: () => boolean
  readonly send: SendReply
}

/** Fastify adds the URL before rewriting. */
type RewrittenMessage = IncomingMessage & { readonly originalUrl?: string | undefined }

/** Headers that differ for each response, and headers that a 304 lacks. */
const variableHeaders = new Set(['x-request-id', 'server-timing', 'content-length'])
const bodyHeaders = new Set(['etag', 'content-type', 'content-encoding'])

export function openSentReplies({ cache, current, isRouted, send }: SentRepliesOptions): SentReplies {
  let at: Snapshot | undefined
  let commits = 0

  /** The key contains a commit count, so responses from before a commit are never repeated. */
  function keyOf({ url, originalUrl = url, headers }: RewrittenMessage): string {
    const newest = current()
    if (newest !== at) commits += 1
    at = newest
    return `${commits} ${headers.accept ?? ''}\n${headers['accept-encoding'] ?? ''}\n${originalUrl}`
  }

  function keep(request: IncomingMessage, { origin, route, headers, body }: JustSent): void {
    if (isRouted() || !isPlainGet(request)) return
    const key = keyOf(request)
    if (origin.at !== at || (body === undefined && cache.getSent(key) !== undefined)) return
    if (body !== undefined && !cache.has(body.tag)) cache.set(body.tag, { type: body.type, body: body.bytes })
    cache.setSent(key, { tag: origin.tag, route, headers, bodyTag: body?.tag })
  }

  function keepRouted({ origin, raw, routeOptions }: FastifyRequest, reply: FastifyReply, payload: unknown) {
    const { statusCode } = reply
    const isBody = statusCode === 200 && isWhole(payload)
    if (origin === null || (!isBody && statusCode !== 304)) return
    const replyHeaders = reply.getHeaders()
    const headers = Object.entries(replyHeaders).flatMap(([name, value]) => [name, String(value)])
    const tag = String(replyHeaders.etag).slice(1, -1)
    const body = isBody ? { tag, type: String(replyHeaders['content-type']), bytes: payload } : undefined
    keep(raw, { origin, route: routeOptions.url ?? 'none', headers, body })
  }

  function reply(request: IncomingMessage, response: ServerResponse): boolean {
    if (isRouted() || !isPlainGet(request)) return false
    const sent = cache.getSent(keyOf(request))
    if (sent === undefined) return false
    const begun = performance.now()
    const id = ['x-request-id', requestIdOf(request)]
    const etag = matchingTag(request.headers['if-none-match'], sent.tag)
    if (etag !== undefined) {
      sent.unchanged ??= headersWithout(sent, bodyHeaders)
      const headers = [...id, 'etag', etag, ...sent.unchanged]
      send(response, { status: 304, headers, body: undefined, route: sent.route, begun })
    } else {
      const body = sent.bodyTag === undefined ? undefined : cache.get(sent.bodyTag)?.body
      if (body === undefined) return false
      const length = () => ['server-timing', 'memory', 'content-length', String(Buffer.byteLength(body))]
      sent.whole ??= [...headersWithout(sent), ...length()]
      send(response, { status: 200, headers: [...id, ...sent.whole], body, route: sent.route, begun })
    }
    return true
  }

  return {
    before: (next) => (request, response) => {
      if (!reply(request, response)) next(request, response)
    },

    keep,

    follow(server) {
      server.decorateRequest('origin', null)
      afterCompression(server, keepRouted)
    },
  }
}

/** Request headers that need a route. */
const routedHeaders = ['authorization', 'content-length', 'transfer-encoding', 'x-no-compression']

/** Returns true if the response depends only on the URL, Accept, Accept-Encoding and If-None-Match. */
export function isPlainGet({ method, headers }: IncomingMessage): boolean {
  return (
    method === 'GET' && isDecidedByTag(headers) && routedHeaders.every((name) => headers[name] === undefined)
  )
}

function headersWithout(
  { headers }: SentReply,
  excluded: ReadonlySet<string> = new Set(),
): readonly string[] {
  const isExcluded = (name = '') => variableHeaders.has(name) || excluded.has(name)
  return headers.filter((_, index) => !isExcluded(headers[index - (index % 2)]))
}
