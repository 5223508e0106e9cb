import type { IncomingMessage, RequestListener } from 'node:http'
import { noteFailure } from '../../base/background.ts'
import type { ApiKey } from '../../keys/api-key.ts'
import type { AdmittedRequest, Gate } from '../gate/gate.ts'
import type { Cors } from '../hooks/cors.ts'
import { requestIdOf, safeHeadersInLowerCase } from '../hooks/reply-headers.ts'
import { acceptsGzip } from '../reply/accept.ts'
import { SHORTEST_BYTES } from '../reply/compression.ts'
import { matchingTag } from '../reply/entity-tag.ts'
import type { Representation, WholeBody } from '../reply/representation.ts'
import { DirectRequest } from './direct-request.ts'
import type { DirectRoute, ReadyReply } from './direct-route.ts'
import { isPlainGet } from './plain-get.ts'
import { openRouteTable, type RouteMatch } from './route-table.ts'
import type { DirectReply, SendReply } from './send-reply.ts'
import type { SentReplies } from './sent-replies.ts'

export interface Pipeline {
  add(route: DirectRoute): void
  /** Returns what the pipeline knows of a message that it passed to Fastify. */
  passed(message: IncomingMessage): DirectRequest | undefined
  /** Passes other requests to `next`. */
  before(next: RequestListener): RequestListener
}

export interface PipelineParts {
  readonly gate: () => Gate
  readonly cors: Cors
  readonly sent: SentReplies
  readonly send: SendReply
  /** True while the server closes. */
  readonly isClosing: () => boolean
  /** Returns the URL without the base path. */
  readonly pathOf: (request: IncomingMessage) => string
}

/** Values of Accept that get uncompressed JSON; the routes handle others. */
const jsonAccepts = new Set([undefined, '*/*', 'application/json'])
const safeHeaders = Object.entries(safeHeadersInLowerCase).flat()

/**
 * Answers GET requests that need no I/O, before Fastify routes them. Steps: find the key, look for a sent response, count the request,
 * compute the response. It passes all others on, errors included, with the counted key and the plan.
 */
export function openPipeline({ gate, cors, sent, send, isClosing, pathOf }: PipelineParts): Pipeline {
  const routes = openRouteTable()
  const passed = new WeakMap<IncomingMessage, DirectRequest>()

  function answer(route: DirectRoute, request: DirectRequest): ReadyReply | undefined {
    try {
      const ready = route.answer(request)
      const isLong = byteLengthOf(ready?.representation) >= SHORTEST_BYTES
      return isLong && acceptsGzip(request.message.headers) ? undefined : ready
    } catch {
      // The route will report the error.
      return undefined
    }
  }

  function replyOf(
    { isNegotiated, path }: DirectRoute,
    ready: ReadyReply,
    message: IncomingMessage,
  ): DirectReply {
    const { tag, headers, representation } = ready
    const etag = matchingTag(message.headers['if-none-match'], tag) ?? `"${tag}"`
    const lines = [...headers, ...safeHeaders, 'etag', etag, 'vary', varyOf(isNegotiated)]
    if (representation !== undefined) {
      const { type, timing } = representation
      lines.push('content-type', type, 'content-length', `${byteLengthOf(representation)}`)
      if (timing !== undefined) lines.push('server-timing', timing)
    }
    return {
      status: representation === undefined ? 304 : 200,
      headers: lines,
      body: representation?.body,
      route: path,
    }
  }

  /** Returns the route of a message, if it sends JSON to the client. */
  function matchOf(message: IncomingMessage): RouteMatch | undefined {
    const match = routes.find(pathOf(message))
    return match?.route.isNegotiated && !jsonAccepts.has(message.headers.accept) ? undefined : match
  }

  /** Fields in the order in which the hooks of a routed response add them. */
  function varyOf(isNegotiated: boolean): string {
    const origin = cors.varies ? 'Origin, ' : ''
    const key = gate().isLocked() ? 'Authorization, ' : ''
    return `${origin}${key}${isNegotiated ? 'Accept, ' : ''}accept-encoding`
  }

  /** Returns the key, null if none is needed, or undefined if Fastify has to refuse the request. */
  function keyOf(message: IncomingMessage): ApiKey | null | undefined {
    if (!gate().isLocked()) return message.headers.authorization === undefined ? null : undefined
    try {
      return gate().keyOf(message)
    } catch {
      return undefined
    }
  }

  /** Computes the response of a route; undefined if Fastify has to answer. */
  function compute({ route, id, query }: RouteMatch, request: DirectRequest): DirectReply | undefined {
    request.id = id
    request.query = query
    const ready = answer(route, request)
    if (ready === undefined) return undefined
    const { message, key } = request
    const reply = replyOf(route, ready, message)
    const { origin, tag, representation } = ready
    const body = representation && { tag, whole: representation }
    if (origin !== null) sent.keep(message, key, { origin, route: route.path, headers: reply.headers, body })
    return reply
  }

  return {
    add: routes.add,
    passed: (message) => passed.get(message),
    before: (next) => (message, response) => {
      const key = isClosing() || !isPlainGet(message) ? undefined : keyOf(message)
      if (key === undefined) return next(message, response)
      const begun = performance.now()
      const repeated = sent.find(message, key)
      const match = repeated === undefined && !gate().hasWaiting() ? matchOf(message) : undefined
      if (repeated === undefined && match === undefined) return next(message, response)
      const request = new DirectRequest(message, key)

      function respond(admitted?: AdmittedRequest): void {
        // The client has gone while its request was counted.
        if (admitted !== undefined && response.destroyed) {
          settle(admitted, 0)
          return
        }
        const isRefused = admitted?.refusal !== undefined
        const reply = isRefused ? undefined : (repeated ?? (match && compute(match, request)))
        if (reply === undefined) {
          // Fastify sends a refusal.
          if (admitted !== undefined) gate().carry(message, admitted)
          if (request.plan !== undefined) passed.set(message, request)
          next(message, response)
          return
        }
        settle(admitted, reply.status)
        const lines = ['x-request-id', requestIdOf(message), ...cors.headersFor(message.headers.origin)]
        if (admitted !== undefined) lines.push(...admitted.headers)
        lines.push(...reply.headers)
        send(response, { ...reply, headers: lines }, { begun, key: request.key })
      }

      if (key === null) return respond()
      gate().admit(key, match?.route.needs ?? [], (admitted) => {
        // The batch that counts calls this, so nothing above would catch. The response may have begun.
        try {
          respond(admitted)
        } catch (error) {
          noteFailure('answering a request', error)
          message.socket.destroy()
        }
      })
    },
  }
}

/** The quota counts responses with a body. */
function settle(admitted: AdmittedRequest | undefined, status: number): void {
  if (status === 200) admitted?.reservation?.spend()
  else admitted?.reservation?.release()
}

function byteLengthOf(whole: Representation<WholeBody> | undefined): number {
  return whole === undefined ? 0 : Buffer.byteLength(whole.body)
}
