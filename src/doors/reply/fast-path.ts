import type { IncomingMessage, RequestListener } from 'node:http'
import type { RawQuery } from '../../base/parameter-text.ts'
import { readQueryString } from '../../base/query-string.ts'
import { requestIdOf, safeHeadersInLowerCase } from '../hooks/reply-headers.ts'
import { SHORTEST_BYTES } from './compression.ts'
import { matchingTag } from './entity-tag.ts'
import type { Representation, WholeBody } from './representation.ts'
import type { SendReply } from './send-reply.ts'
import { isPlainGet, type ReplyOrigin, type SentReplies } from './sent-replies.ts'

/** ETag and specific headers of a response, known before its body. */
export interface ReplyHead {
  readonly tag: string
  /** Lower-case names and values in turn. */
  readonly headers: readonly string[]
  /** Null if an equal request may get another response. */
  readonly origin: ReplyOrigin | null
}

/** A response that was computed synchronously. */
export interface ReadyReply extends ReplyHead {
  /** Undefined for a 304. */
  readonly representation?: Representation<WholeBody>
}

/** Returns the response if it can be computed synchronously, otherwise undefined. Errors: see the route. */
type PeekAnswer = (
  query: RawQuery,
  id: string,
  isNotModified: (tag: string) => boolean,
) => ReadyReply | undefined

interface FastRoute {
  /** Such as `/v1/net/l2/makers/:id`. */
  readonly path: string
  /** True if the route has several representations. */
  readonly isNegotiated: boolean
  readonly answer: PeekAnswer
}

/** Sends responses that need no I/O before Fastify routes the request. */
export interface FastPath {
  add(route: FastRoute): void
  /** Passes other requests to `next`. */
  before(next: RequestListener): RequestListener
}

export interface FastPathOptions {
  /** Returns true if all requests must be routed, for example when keys are needed. */
  readonly isRouted: () => boolean
  /** Returns the URL without the base path. */
  readonly pathOf: (request: IncomingMessage) => string
  readonly keep: SentReplies['keep']
  readonly send: SendReply
}

/** Values of Accept that get uncompressed JSON; the routes handle others. */
const jsonAccepts = new Set([undefined, '*/*', 'application/json'])
/** Non-ASCII bytes and fragments are left to the routes. */
const UNUSUAL = /%[89a-f]|#/i
const safeHeaders = Object.entries(safeHeadersInLowerCase).flat()
const ID = ':id'

interface RouteMatch {
  readonly route: FastRoute
  readonly id: string
  readonly query: string
}

export function openFastPath({ isRouted, pathOf, keep, send }: FastPathOptions): FastPath {
  const routes = new Map<string, FastRoute>()

  function findRoute(request: IncomingMessage): RouteMatch | undefined {
    const url = pathOf(request)
    if (UNUSUAL.test(url)) return undefined
    const start = url.indexOf('?')
    const path = start < 0 ? url : url.slice(0, start)
    const query = start < 0 ? '' : url.slice(start + 1)
    const exact = routes.get(path)
    if (exact !== undefined) return { route: exact, id: '', query }
    const end = path.lastIndexOf('/') + 1
    const id = path.slice(end)
    if (id === '' || id === ID || id.includes('%')) return undefined
    const route = routes.get(path.slice(0, end) + ID)
    return route && { route, id, query }
  }

  /** Computes the response of the route; undefined if another representation is preferred. */
  function answer({ route, id, query }: RouteMatch, { headers }: IncomingMessage): ReadyReply | undefined {
    const { accept, 'accept-encoding': encoding, 'if-none-match': ifNoneMatch } = headers
    if (route.isNegotiated && (!jsonAccepts.has(accept) || encoding !== undefined)) return undefined
    try {
      const ready = route.answer(
        readQueryString(query),
        id,
        (tag) => matchingTag(ifNoneMatch, tag) !== undefined,
      )
      const isCompressed = encoding !== undefined && byteLengthOf(ready?.representation) >= SHORTEST_BYTES
      return isCompressed ? undefined : ready
    } catch {
      // The route will report the error.
      return undefined
    }
  }

  function headersOf(
    route: FastRoute,
    { tag, headers, representation }: ReadyReply,
    request: IncomingMessage,
  ) {
    const etag = matchingTag(request.headers['if-none-match'], tag) ?? `"${tag}"`
    const lines = [...headers, ...safeHeaders, 'x-request-id', requestIdOf(request), 'etag', etag]
    lines.push('vary', route.isNegotiated ? 'Accept, accept-encoding' : 'accept-encoding')
    if (representation === undefined) return lines
    lines.push('content-type', representation.type, 'content-length', `${byteLengthOf(representation)}`)
    if (representation.timing !== undefined) lines.push('server-timing', representation.timing)
    return lines
  }

  return {
    add: (route) => void routes.set(route.path, route),
    before: (next) => (request, response) => {
      if (isRouted() || !isPlainGet(request)) return next(request, response)
      const begun = performance.now()
      const match = findRoute(request)
      const ready = match && answer(match, request)
      if (match === undefined || ready === undefined) return next(request, response)
      const { path } = match.route
      const { tag, origin, representation: whole } = ready
      const headers = headersOf(match.route, ready, request)
      if (origin !== null) keep(request, { origin, headers, route: path, body: sentBody(tag, whole) })
      send(response, {
        status: whole === undefined ? 304 : 200,
        headers,
        body: whole?.body,
        route: path,
        begun,
      })
    },
  }
}

function byteLengthOf(whole: Representation<WholeBody> | undefined): number {
  return whole === undefined ? 0 : Buffer.byteLength(whole.body)
}

function sentBody(tag: string, whole: Representation<WholeBody> | undefined) {
  return whole && { tag, type: whole.type, bytes: whole.body }
}
