import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import { fail } from '../../base/errors.ts'
import { type Feature, features } from '../../catalog/feature.ts'
import type { ApiKey } from '../../keys/api-key.ts'
import type { KeyCounter } from '../../keys/counting/key-counter.ts'
import { keyParameters } from '../../keys/key-parameters.ts'
import type { KeyRing } from '../../keys/key-ring.ts'
import { missingFeatures } from '../contract/missing-features.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { onClose } from '../http/request-signal.ts'
import type { LimitLoad } from '../monitoring/measures/measure.ts'
import { setHeaders } from '../reply/set-headers.ts'
import { varyBy } from '../reply/vary.ts'
import { clientOf } from './client.ts'
import { limitConcurrency } from './concurrency-limit.ts'
import { type CountedRequest, openKeyLimits, type QuotaReservation } from './key-limits.ts'
import { sendRefusal } from './send-refusal.ts'
import { TurnBudget } from './turn-budget.ts'
import { openWorkQueue, type WorkQueue } from './work-queue.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Null while no keys are needed. */
    apiKey: ApiKey | null
    quotaReservation: QuotaReservation | null
  }
}

export interface GateOptions {
  readonly keys: KeyRing
  readonly counter: KeyCounter
  readonly dialect: Dialect
  /** Most concurrent requests. */
  readonly mostRequests: number
  /** Longest estimated wait of an admitted request. */
  readonly mostWaitMs: number
  readonly engineConnections: number
  /** Most concurrent exports. They do not count as requests, so neither keeps the other out. */
  readonly mostExports: number
}

/** A request whose key was checked and counted. */
export interface AdmittedRequest extends CountedRequest {
  readonly key: ApiKey
}

interface RouteTerms {
  /** Requests that need no key. */
  readonly isFree?: (request: FastifyRequest) => boolean
  /** Body of a refusal before the request is read. Only for routes whose requests all go through the queue. */
  readonly refusal?: string
}

export interface Gate {
  /** Returns true if requests need a key. */
  isLocked(): boolean
  /** Returns the key of a request; undefined if it is missing or unknown. Errors: `not_ready`. */
  keyOf(message: IncomingMessage): ApiKey | undefined
  /** Counts a request of a key, soon. The result has any refusal. */
  admit(key: ApiKey, needs: readonly Feature[], done: (admitted: AdmittedRequest) => void): void
  /** Lets the route of a message use an earlier result. */
  carry(message: IncomingMessage, admitted: AdmittedRequest): void
  /** Returns the Fastify options of a route. */
  route(needs?: readonly Feature[], terms?: RouteTerms): RouteShorthandOptions
  /** Takes a slot of the concurrency limit until the response is sent or the client disconnects. Errors: `overloaded`. */
  enter(reply: FastifyReply): void
  /** Takes a slot of the separate limit for exports. Errors: `overloaded`. */
  enterExports(reply: FastifyReply): void
  /** Throws if `enterExports` would. Errors: `overloaded`. */
  requireExportSlot(reply: FastifyReply): void
  /** Counts one more request of a batch. Errors: `usage_limit_exceeded`, `rate_limit_exceeded`. */
  countAnother(reply: FastifyReply): QuotaReservation | null
  /** Counts a request that did not come by HTTP. Errors: `usage_limit_exceeded`, `rate_limit_exceeded`. */
  countOf(key: ApiKey): QuotaReservation | null
  readonly inTurn: WorkQueue['inTurn']
  readonly inTurnOf: WorkQueue['inTurnOf']
  readonly backlog: WorkQueue['load']
  readonly hasWaiting: WorkQueue['hasWaiting']
  /** Time budget of synchronous reads in one turn of the event loop. */
  readonly loopBudget: TurnBudget
  limits(): Readonly<Record<'request' | 'export', LimitLoad>>
  /** True if no key is needed, or the key has every feature and no look-back. */
  canReadAll(request: FastifyRequest): boolean
}

/**
 * Routes check key, quota, rate and feature, in this order. Then REST checks parameters and the concurrency limit; GraphQL the limit first.
 * Errors: `authentication_required`, `usage_limit_exceeded`, `rate_limit_exceeded`, `feature_not_available`.
 */
export function openGate(server: FastifyInstance, options: GateOptions): Gate {
  const { keys, counter, dialect, mostRequests, mostExports, mostWaitMs, engineConnections } = options
  const limits = openKeyLimits(counter)
  const queue = openWorkQueue({
    mostWaitMs,
    slots: { cheap: 4 * engineConnections, costly: Math.max(1, engineConnections >> 1) },
  })
  const requests = limitConcurrency(mostRequests)
  const exports = limitConcurrency(mostExports, 'whole lists and long series')
  server.decorateRequest('apiKey', null)
  server.decorateRequest('quotaReservation', null)

  const carried = new WeakMap<IncomingMessage, AdmittedRequest>()

  const keyTextIn = ({ authorization }: IncomingHttpHeaders) =>
    authorization === undefined ? undefined : dialect.keyIn(authorization.trim())

  /** The last key of each connection: the same header again needs no hash, unless the key has changed or was revoked. */
  const lastKeys = new WeakMap<Socket, { readonly authorization: string; readonly key: ApiKey }>()

  function keyOf({ headers, socket }: IncomingMessage): ApiKey | undefined {
    const { authorization } = headers
    if (authorization === undefined) return undefined
    const last = lastKeys.get(socket)
    if (last?.authorization === authorization && keys.named(last.key.id) === last.key) return last.key
    const text = keyTextIn(headers)
    const key = text === undefined ? undefined : keys.find(text)
    if (key !== undefined) lastKeys.set(socket, { authorization, key })
    return key
  }

  function authenticate(request: FastifyRequest, reply: FastifyReply): ApiKey {
    const key = keyOf(request.raw)
    if (key !== undefined) return key
    reply.header('WWW-Authenticate', 'Bearer')
    const problem =
      request.headers.authorization === undefined
        ? misplacedKey(request)
        : keyTextIn(request.headers) === undefined
          ? 'The header Authorization has no API key. '
          : 'The API key in the header Authorization is unknown or revoked. '
    return fail('authentication_required', `${problem}Send your API key as \`Authorization: Bearer <key>\`.`)
  }

  /** Sends a refusal and returns true if the queue is full for this client. */
  function refuseEarly(request: FastifyRequest, reply: FastifyReply, refusal: string | undefined): boolean {
    // A 304 needs no turn in the queue.
    if (refusal === undefined || request.headers['if-none-match'] !== undefined) return false
    const seconds = queue.retryAfter(request)
    if (seconds !== undefined) sendRefusal(reply, refusal, seconds)
    return seconds !== undefined
  }

  function admittedBy(counted: CountedRequest, key: ApiKey, needs: readonly Feature[]): AdmittedRequest {
    const { headers, reservation, refusal = missingFeatures(needs, key.features)[0] } = counted
    return { key, headers, reservation, refusal }
  }

  /** Sets the headers of a counted request, and returns it to the quota unless it succeeds. Errors: its refusal. */
  function continueCounted(counted: CountedRequest, reply: FastifyReply): QuotaReservation | null {
    const { headers, reservation, refusal } = counted
    setHeaders(reply, headers)
    if (reservation !== null) onClose(reply, () => reservation.release())
    if (refusal !== undefined) throw refusal
    return reservation
  }

  return {
    isLocked: keys.isLocked,
    keyOf,
    admit: (key, needs, done) => limits.countSoon(key, (counted) => done(admittedBy(counted, key, needs))),
    carry: (message, admitted) => void carried.set(message, admitted),
    canReadAll(request) {
      if (!keys.isLocked()) return true
      const key = keyOf(request.raw)
      return key?.lookbackDays === null && features.every((feature) => key.features.includes(feature))
    },
    enter: (reply) => requests.enter(reply, clientOf(reply.request)),
    enterExports: (reply) => exports.enter(reply, clientOf(reply.request)),
    requireExportSlot: (reply) => exports.requireSlot(clientOf(reply.request)),
    countAnother: (reply) =>
      reply.request.apiKey && continueCounted(limits.count(reply.request.apiKey), reply),
    limits: () => ({ request: requests.load(), export: exports.load() }),
    countOf(key) {
      const { reservation, refusal } = limits.count(key)
      if (refusal !== undefined) throw refusal
      return reservation
    },
    inTurn: queue.inTurn,
    inTurnOf: queue.inTurnOf,
    backlog: queue.load,
    hasWaiting: queue.hasWaiting,
    loopBudget: new TurnBudget(),
    route: (needs = [], { isFree = () => false, refusal } = {}) => ({
      onRequest(request, reply, done) {
        try {
          const isLocked = keys.isLocked() && !isFree(request)
          if (isLocked) varyBy(reply, 'Authorization')
          const earlier = carried.get(request.raw)
          const key = earlier?.key ?? (isLocked ? authenticate(request, reply) : null)
          request.apiKey = key
          if (earlier === undefined && refuseEarly(request, reply, refusal)) return
          if (key !== null)
            request.quotaReservation = continueCounted(
              earlier ?? admittedBy(limits.count(key), key, needs),
              reply,
            )
        } catch (error) {
          return done(error as Error)
        }
        done()
      },
      onSend({ quotaReservation }, { statusCode }, payload, done) {
        if (statusCode === 200) quotaReservation?.spend()
        done(null, payload)
      },
    }),
  }
}

/** Returns a sentence about a key in an unsupported header or parameter; empty if there is none. */
function misplacedKey({ headers, query }: FastifyRequest): string {
  const parameter = keyParameters.find((name) => Object.hasOwn(Object(query), name))
  const location =
    headers['x-api-key'] === undefined ? parameter && `parameter ${parameter}` : 'header X-API-Key'
  return location === undefined ? '' : `An API key in the ${location} is not read. `
}

/** Errors: `feature_not_available`. */
export function requireFeatures({ features: granted }: ApiKey, needs: readonly Feature[]): void {
  const [refusal] = missingFeatures(needs, granted)
  if (refusal !== undefined) throw refusal
}
