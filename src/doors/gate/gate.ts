import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import { fail } from '../../base/errors.ts'
import { type Feature, features } from '../../catalog/feature.ts'
import type { ApiKey } from '../../operate/keys/api-key.ts'
import type { KeyCounter } from '../../operate/keys/counting/key-counter.ts'
import { keyParameters } from '../../operate/keys/key-parameters.ts'
import type { KeyRing } from '../../operate/keys/key-ring.ts'
import type { Dialect } from '../dialect/dialect.ts'
import type { LimitLoad } from '../measures/measure.ts'
import { varyBy } from '../reply/vary.ts'
import { callerOf } from './caller.ts'
import { limitConcurrency } from './concurrency-limit.ts'
import { limitsOf, type SetAside } from './limits.ts'
import { sendRefusal } from './send-refusal.ts'
import { TurnBudget } from './turn-budget.ts'
import { openWorkQueue, type WorkQueue } from './work-queue.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The key that asks; null while no keys are needed. */
    apiKey: ApiKey | null
    setAside: SetAside | null
  }
}

/** Which keys are accepted, and the limits of requests. */
export interface GateOptions {
  readonly keys: KeyRing
  readonly counter: KeyCounter
  readonly dialect: Dialect
  /** The most requests that are answered at once. */
  readonly mostRequests: number
  /** The longest estimated wait of a request that is still accepted. */
  readonly mostWaitMs: number
  /** How many statements the engine runs at once. */
  readonly engineConnections: number
  /** The most whole lists that are sent at once; they do not count into the requests, so that neither keeps the other out. */
  readonly mostExports: number
}

/** What is special about a route. */
interface RouteTerms {
  /** Which requests need no key at all. */
  readonly isFree?: (request: FastifyRequest) => boolean
  /** The body of a refusal, for a route whose requests all have to wait: callers who have too much waiting are refused before it is read. */
  readonly refusal?: string
}

export interface Gate {
  /** Options of a route. */
  route(needs?: readonly Feature[], terms?: RouteTerms): RouteShorthandOptions
  /** Counts a request into the concurrency limit until its reply is sent or its caller has disconnected. Errors: `overloaded`. */
  enter(reply: FastifyReply): void
  /** The same for a request for a whole list, of which there is a limit of its own. */
  enterExports(reply: FastifyReply): void
  /** Refuses a request for which there would be no room among whole lists. Errors: `overloaded`. */
  requireExportRoom(reply: FastifyReply): void
  /** Counts a request that came together with others in one. Errors: `usage_limit_exceeded`, `rate_limit_exceeded`. */
  takeAnother(reply: FastifyReply): SetAside | null
  readonly inTurn: WorkQueue['inTurn']
  readonly backlog: WorkQueue['load']
  readonly hasWaiting: WorkQueue['hasWaiting']
  /** What reading answers at once may take of a turn. */
  readonly turn: TurnBudget
  limits(): Readonly<Record<'request' | 'export', LimitLoad>>
  /** Whether a caller may read everything that is served: no key is needed, or it has one with every feature and without a look-back. */
  mayReadAll(request: FastifyRequest): boolean
}

/**
 * Checks in this order: key, quota, rate, feature. After that REST checks parameters, then the concurrency limit; GraphQL the limit first.
 * Errors: `authentication_required`, `usage_limit_exceeded`, `rate_limit_exceeded`, `feature_not_available`.
 */
export function openGate(server: FastifyInstance, options: GateOptions): Gate {
  const { keys, counter, dialect, mostRequests, mostExports, mostWaitMs, engineConnections } = options
  const take = limitsOf(counter)
  const queue = openWorkQueue({
    mostWaitMs,
    slots: { cheap: 4 * engineConnections, dear: Math.max(1, engineConnections >> 1) },
  })
  const requests = limitConcurrency(mostRequests)
  const exports = limitConcurrency(mostExports, 'whole lists and long series')
  server.decorateRequest('apiKey', null)
  server.decorateRequest('setAside', null)

  function keyOf({ headers }: FastifyRequest): { text?: string | undefined; key?: ApiKey | undefined } {
    const text = headers.authorization === undefined ? undefined : dialect.keyIn(headers.authorization.trim())
    return { text, key: text === undefined ? undefined : keys.find(text) }
  }

  function authenticate(request: FastifyRequest, reply: FastifyReply): ApiKey {
    const { text, key } = keyOf(request)
    if (key !== undefined) return key
    reply.header('WWW-Authenticate', 'Bearer')
    const found =
      request.headers.authorization === undefined
        ? elsewhere(request)
        : text === undefined
          ? 'The header Authorization has no API key. '
          : 'The API key in the header Authorization is unknown or revoked. '
    return fail('authentication_required', `${found}Send your API key as \`Authorization: Bearer <key>\`.`)
  }

  /** Whether a request was refused, which is answered then. */
  function isRefused(request: FastifyRequest, reply: FastifyReply, refusal: string | undefined): boolean {
    // What a caller has already is confirmed without waiting.
    if (refusal === undefined || request.headers['if-none-match'] !== undefined) return false
    const seconds = queue.refusedAtOnce(request)
    if (seconds !== undefined) sendRefusal(reply, refusal, seconds)
    return seconds !== undefined
  }

  return {
    mayReadAll(request) {
      if (!keys.isLocked()) return true
      const { key } = keyOf(request)
      return key?.lookbackDays === null && features.every((feature) => key.features.includes(feature))
    },
    enter: (reply) => requests.enter(reply, callerOf(reply.request)),
    enterExports: (reply) => exports.enter(reply, callerOf(reply.request)),
    requireExportRoom: (reply) => exports.requireRoom(callerOf(reply.request)),
    takeAnother: (reply) => reply.request.apiKey && take(reply.request.apiKey, reply),
    limits: () => ({ request: requests.load(), export: exports.load() }),
    inTurn: queue.inTurn,
    backlog: queue.load,
    hasWaiting: queue.hasWaiting,
    turn: new TurnBudget(),
    route: (needs = [], { isFree = () => false, refusal } = {}) => ({
      onRequest(request, reply, done) {
        try {
          const isLocked = keys.isLocked() && !isFree(request)
          if (isLocked) varyBy(reply, 'Authorization')
          const key = isLocked ? authenticate(request, reply) : null
          request.apiKey = key
          if (isRefused(request, reply, refusal)) return
          if (key !== null) {
            request.setAside = take(key, reply)
            requireFeatures(key, needs)
          }
        } catch (error) {
          return done(error as Error)
        }
        done()
      },
      onSend({ setAside }, { statusCode }, payload, done) {
        if (statusCode === 200) setAside?.spend()
        done(null, payload)
      },
    }),
  }
}

/** A sentence about a key that was sent where none is read; empty if there is none. */
function elsewhere({ headers, query }: FastifyRequest): string {
  const parameter = keyParameters.find((name) => Object.hasOwn(query as object, name))
  const place =
    headers['x-api-key'] === undefined ? parameter && `parameter ${parameter}` : 'header X-API-Key'
  return place === undefined ? '' : `An API key in the ${place} is not read. `
}

/** Errors: `feature_not_available`, with what the key lacks. */
export function requireFeatures({ features: own }: ApiKey, needs: readonly Feature[]): void {
  const lacking = needs.filter((feature) => !own.includes(feature))
  if (lacking.length === 0) return
  const has = own.length === 0 ? 'none' : own.join(', ')
  const sentence = `This operation needs the feature ${lacking.join(' and ')}; the features of this key are: ${has}.`
  fail('feature_not_available', sentence)
}
