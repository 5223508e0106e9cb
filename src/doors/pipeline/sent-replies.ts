import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ApiKey } from '../../keys/api-key.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { limitHeaders } from '../contract/limit-headers.ts'
import { reachTextOf } from '../gate/look-back.ts'
import { corsHeaders } from '../hooks/cors.ts'
import { matchingTag } from '../reply/entity-tag.ts'
import type { ReplyCache, SentReply } from '../reply/reply-cache.ts'
import { isWhole, type Representation, type WholeBody } from '../reply/representation.ts'
import { isPlainGet } from './plain-get.ts'
import type { DirectReply } from './send-reply.ts'

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

/** Responses by request, to send them again. Only headers of the exchange are missing: id, limits and CORS. */
export interface SentReplies {
  find(message: IncomingMessage, key: ApiKey | null): DirectReply | undefined
  keep(message: IncomingMessage, key: ApiKey | null, reply: JustSent): void
  /** Caches the responses of routes that are added afterwards. */
  follow(server: FastifyInstance): void
}

/** A response that was just sent. */
interface JustSent {
  readonly origin: ReplyOrigin
  readonly route: string
  readonly headers: readonly string[]
  /** Undefined after a 304. */
  readonly body: { readonly tag: string; readonly whole: Representation<WholeBody> } | undefined
}

/** Fastify adds the URL before rewriting. */
type RewrittenMessage = IncomingMessage & { readonly originalUrl?: string | undefined }

/** Headers that differ for each exchange, and headers that a 304 lacks. */
const exchangeHeaders = new Set<string>([
  ...['x-request-id', 'server-timing', 'content-length'],
  ...limitHeaders.map((name) => name.toLowerCase()),
  ...corsHeaders,
])
const bodyHeaders = new Set(['etag', 'content-type', 'content-encoding'])

/** `current` returns the newest snapshot. Without memory in the cache nothing is kept. */
export function openSentReplies(cache: ReplyCache, current: () => Snapshot | undefined): SentReplies {
  let newestSeen: Snapshot | undefined
  let commits = 0

  /** The address contains a commit count, so responses from before a commit are never repeated. */
  function addressOf({ url, originalUrl = url, headers }: RewrittenMessage, key: ApiKey | null): string {
    const newest = current()
    if (newest !== newestSeen) commits += 1
    newestSeen = newest
    const { accept = '', 'accept-encoding': encoding = '' } = headers
    return `${commits} ${reachTextOf(key)}\n${accept}\n${encoding}\n${originalUrl}`
  }

  function keep(
    message: IncomingMessage,
    key: ApiKey | null,
    { origin, route, headers, body }: JustSent,
  ): void {
    if (!cache.isOn) return
    const address = addressOf(message, key)
    if (origin.at !== newestSeen || (body === undefined && cache.getSent(address) !== undefined)) return
    if (body !== undefined && !cache.has(body.tag)) cache.set(body.tag, body.whole)
    cache.setSent(address, { tag: origin.tag, route, headers, bodyTag: body?.tag })
  }

  function keepRouted(request: FastifyRequest, reply: FastifyReply, payload: unknown): void {
    const { origin, raw, apiKey, routeOptions } = request
    const isBody = reply.statusCode === 200 && isWhole(payload)
    const hasKnownKey = apiKey !== null || raw.headers.authorization === undefined
    if (origin === null || (!isBody && reply.statusCode !== 304) || !hasKnownKey || !isPlainGet(raw)) return
    const replyHeaders = reply.getHeaders()
    const headers = Object.entries(replyHeaders).flatMap(([name, value]) => [name, String(value)])
    const whole = isBody ? { type: String(replyHeaders['content-type']), body: payload } : undefined
    const body = whole && { tag: String(replyHeaders.etag).slice(1, -1), whole }
    keep(raw, apiKey, { origin, route: routeOptions.url ?? 'none', headers, body })
  }

  return {
    find(message, key) {
      const sent = cache.isOn ? cache.getSent(addressOf(message, key)) : undefined
      if (sent === undefined) return undefined
      const etag = matchingTag(message.headers['if-none-match'], sent.tag)
      if (etag !== undefined) {
        sent.unchanged ??= headersWithout(sent, bodyHeaders)
        return { status: 304, headers: ['etag', etag, ...sent.unchanged], body: undefined, route: sent.route }
      }
      const body = sent.bodyTag === undefined ? undefined : cache.get(sent.bodyTag)?.body
      if (body === undefined) return undefined
      const timingAndLength = () => [
        'server-timing',
        'memory',
        'content-length',
        String(Buffer.byteLength(body)),
      ]
      sent.whole ??= [...headersWithout(sent), ...timingAndLength()]
      return { status: 200, headers: sent.whole, body, route: sent.route }
    },

    keep,

    follow(server) {
      server.decorateRequest('origin', null)
      server.addHook('onSend', (request, reply, payload, done) => {
        keepRouted(request, reply, payload)
        done(null, payload)
      })
    },
  }
}

function headersWithout(
  { headers }: SentReply,
  excluded: ReadonlySet<string> = new Set(),
): readonly string[] {
  const isExcluded = (name = '') => exchangeHeaders.has(name) || excluded.has(name)
  return headers.filter((_, index) => !isExcluded(headers[index - (index % 2)]))
}
