import type { IncomingMessage, RequestListener } from 'node:http'
import type { RawQuery } from '../../base/parameter-text.ts'
import { readQueryString } from '../../base/query-string.ts'
import { requestIdOf, safeHeadersInLowerCase } from '../hooks/reply-headers.ts'
import { SHORTEST_BYTES } from './compression.ts'
import { heldTag } from './entity-tag.ts'
import type { Representation, Whole } from './representation.ts'
import type { SendReply } from './send-reply.ts'
import { isPlain, type Origin, type SentReplies } from './sent-replies.ts'

/** What is known of a reply before its body is, without the headers that all replies have. */
export interface ReplyHead {
  readonly tag: string
  /** Names, in small letters, and values in turn. */
  readonly headers: readonly string[]
  /** Null where an equal request may have another reply. */
  readonly origin: Origin | null
}

/** A reply that is known without waiting. */
export interface ReadyReply extends ReplyHead {
  /** Undefined for a caller who has it already. */
  readonly representation?: Representation<Whole>
}

/** What a route answers without waiting; undefined where it has to wait. Errors: those of the route. */
type AnswerAtOnce = (query: RawQuery, id: string, isHeld: (tag: string) => boolean) => ReadyReply | undefined

interface FastRoute {
  /** Such as `/v1/net/l2/makers/:id`. */
  readonly path: string
  /** Whether it has representations that a caller may accept instead. */
  readonly isNegotiated: boolean
  readonly answer: AnswerAtOnce
}

/** Answers what needs no waiting before a request is routed, as its route would. */
export interface FastPath {
  add(route: FastRoute): void
  /** Replies where it can, and passes other requests on. */
  before(others: RequestListener): RequestListener
}

export interface FastPathOptions {
  /** Whether every request has to go through the routes, as where keys are needed. */
  readonly isRouted: () => boolean
  /** The path of an address, without what stands before every path. */
  readonly pathOf: (request: IncomingMessage) => string
  readonly keep: SentReplies['keep']
  readonly send: SendReply
}

/** What is no reply in JSON that is not compressed is left to the routes. */
const anything = new Set([undefined, '*/*', 'application/json'])
/** A byte beyond ASCII, and what is no part of an address. */
const UNUSUAL = /%[89a-f]|#/i
const safe = Object.entries(safeHeadersInLowerCase).flat()
const ID = ':id'

interface Found {
  readonly route: FastRoute
  readonly id: string
  readonly query: string
}

export function openFastPath({ isRouted, pathOf, keep, send }: FastPathOptions): FastPath {
  const routes = new Map<string, FastRoute>()

  function find(request: IncomingMessage): Found | undefined {
    const address = pathOf(request)
    if (UNUSUAL.test(address)) return undefined
    const start = address.indexOf('?')
    const path = start < 0 ? address : address.slice(0, start)
    const query = start < 0 ? '' : address.slice(start + 1)
    const exact = routes.get(path)
    if (exact !== undefined) return { route: exact, id: '', query }
    const end = path.lastIndexOf('/') + 1
    const id = path.slice(end)
    if (id === '' || id === ID || id.includes('%')) return undefined
    const route = routes.get(path.slice(0, end) + ID)
    return route && { route, id, query }
  }

  /** What the route would send, unless it would be another representation. */
  function answer({ route, id, query }: Found, { headers }: IncomingMessage): ReadyReply | undefined {
    const { accept, 'accept-encoding': encoding, 'if-none-match': held } = headers
    if (route.isNegotiated && (!anything.has(accept) || encoding !== undefined)) return undefined
    try {
      const ready = route.answer(readQueryString(query), id, (tag) => heldTag(held, tag) !== undefined)
      const isCompressed = encoding !== undefined && bytesOf(ready?.representation) >= SHORTEST_BYTES
      return isCompressed ? undefined : ready
    } catch {
      // The route says what is wrong.
      return undefined
    }
  }

  function headersOf(
    route: FastRoute,
    { tag, headers, representation }: ReadyReply,
    request: IncomingMessage,
  ) {
    const etag = heldTag(request.headers['if-none-match'], tag) ?? `"${tag}"`
    const all = [...headers, ...safe, 'x-request-id', requestIdOf(request), 'etag', etag]
    all.push('vary', route.isNegotiated ? 'Accept, accept-encoding' : 'accept-encoding')
    if (representation === undefined) return all
    all.push('content-type', representation.type, 'content-length', `${bytesOf(representation)}`)
    if (representation.timing !== undefined) all.push('server-timing', representation.timing)
    return all
  }

  return {
    add: (route) => void routes.set(route.path, route),
    before: (others) => (request, response) => {
      if (isRouted() || !isPlain(request)) return others(request, response)
      const begun = performance.now()
      const found = find(request)
      const ready = found && answer(found, request)
      if (found === undefined || ready === undefined) return others(request, response)
      const { path } = found.route
      const { tag, origin, representation: whole } = ready
      const headers = headersOf(found.route, ready, request)
      if (origin !== null) keep(request, { origin, headers, route: path, body: bodyOf(tag, whole) })
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

function bytesOf(whole: Representation<Whole> | undefined): number {
  return whole === undefined ? 0 : Buffer.byteLength(whole.body)
}

function bodyOf(tag: string, whole: Representation<Whole> | undefined) {
  return whole && { tag, type: whole.type, bytes: whole.body }
}
