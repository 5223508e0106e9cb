import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import { type Feature, features } from '../../catalog/feature.ts'
import { fail } from '../../errors.ts'
import type { ApiKey } from '../../keys/api-key.ts'
import type { KeyCounter } from '../../keys/counting/key-counter.ts'
import { keyParameters } from '../../keys/key-parameters.ts'
import type { KeyRing } from '../../keys/key-ring.ts'
import { unlessGone } from '../concurrency/shared-work.ts'
import type { Dialect } from '../dialect/dialect.ts'
import type { BacklogLoad, LimitLoad } from '../measures/measure.ts'
import { varyBy } from '../reply/vary.ts'
import { Admission } from './admission.ts'
import { limitConcurrency } from './concurrency-limit.ts'
import type { Work } from './costs.ts'
import { limitsOf, type SetAside } from './limits.ts'

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

export interface Gate {
  /** Options of a route: the features that a key needs, and which requests need no key at all. */
  route(needs?: readonly Feature[], isFree?: (request: FastifyRequest) => boolean): RouteShorthandOptions
  /** Counts a request into the concurrency limit until its reply is sent or its caller has disconnected. Errors: `overloaded`. */
  enter(reply: FastifyReply): void
  /** The same for a request for a whole list, of which there is a limit of its own. */
  enterExports(reply: FastifyReply): void
  /** Does work when it is its turn, which ends with the signal at the latest. Errors: `overloaded`, at once, where it would have to wait too long. */
  inTurn<T>(reply: FastifyReply, work: Work, signal: AbortSignal, job: () => Promise<T>): Promise<T>
  backlog(): BacklogLoad
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
  const admission = new Admission({
    mostWaitMs,
    slots: { cheap: 4 * engineConnections, dear: Math.max(1, engineConnections >> 1) },
  })
  const requests = limitConcurrency(mostRequests)
  const exports = limitConcurrency(mostExports, 'exports')
  let refusedForWork = 0
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

  function admit(request: FastifyRequest, reply: FastifyReply, needs: readonly Feature[]): void {
    varyBy(reply, 'Authorization')
    const key = authenticate(request, reply)
    request.apiKey = key
    request.setAside = take(key, reply)
    requireFeatures(key, needs)
  }

  return {
    mayReadAll(request) {
      if (!keys.isLocked()) return true
      const { key } = keyOf(request)
      return key?.lookbackDays === null && features.every((feature) => key.features.includes(feature))
    },
    enter: (reply) => requests.enter(reply, callerOf(reply.request)),
    enterExports: (reply) => exports.enter(reply, callerOf(reply.request)),
    async inTurn(reply, work, signal, job) {
      const place = admission.ask(callerOf(reply.request), work)
      if (typeof place === 'number') {
        refusedForWork += 1
        reply.header('Retry-After', place)
        return fail('overloaded', TOO_MUCH)
      }
      const leave = () => place.leave(false)
      signal.addEventListener('abort', leave, { once: true })
      try {
        await unlessGone(place.turn, signal)
        const found = await job()
        place.leave(true)
        return found
      } finally {
        leave()
        signal.removeEventListener('abort', leave)
      }
    },
    limits: () => ({ request: requests.load(), export: exports.load() }),
    backlog: () => ({ ...admission.load(), refused: refusedForWork }),
    route: (needs = [], isFree = () => false) => ({
      onRequest(request, reply, done) {
        try {
          if (keys.isLocked() && !isFree(request)) admit(request, reply, needs)
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

const TOO_MUCH = 'The server has as much to do as it can finish in time; ask again in a moment.'

/** Those who share one turn: the requests of a key, or of an address where no keys are needed. */
function callerOf({ apiKey, ip }: FastifyRequest): string {
  return apiKey?.id ?? ip
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
