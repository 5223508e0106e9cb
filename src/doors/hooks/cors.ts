import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { setHeaders } from '../reply/set-headers.ts'
import { varyBy } from '../reply/vary.ts'

const PREFLIGHT_SECONDS = 7200
const ALLOW_ORIGIN = 'access-control-allow-origin'
const exposed = ['access-control-expose-headers', '*']

/** CORS headers of responses. */
export interface Cors {
  /** Returns lower-case names and values in turn, for the Origin of a request. */
  headersFor(origin: string | undefined): readonly string[]
  /** True if the headers depend on Origin. */
  readonly varies: boolean
}

/** Names of the headers that `headersFor` returns. */
export const corsHeaders = [ALLOW_ORIGIN, 'access-control-expose-headers'] as const

/** Allows cross-origin requests from these origins. Source: Fetch, 3.2. */
export function corsOf(origins: readonly string[]): Cors {
  if (origins.length === 0) return { headersFor: () => [], varies: false }
  const toAll = [ALLOW_ORIGIN, '*', ...exposed]
  if (origins.includes('*')) return { headersFor: () => toAll, varies: false }
  const allowed = new Map(origins.map((origin) => [origin, [ALLOW_ORIGIN, origin, ...exposed]]))
  return { headersFor: (origin = '') => allowed.get(origin) ?? exposed, varies: true }
}

export function addCorsHeaders(server: FastifyInstance, { headersFor, varies }: Cors): void {
  server.addHook('onRequest', ({ headers }, reply, done) => {
    if (varies) varyBy(reply, 'Origin')
    setHeaders(reply, headersFor(headers.origin))
    done()
  })
}

/** Sets the headers of a preflight response. */
export function answerPreflight({ headers }: FastifyRequest, reply: FastifyReply, methods: string): void {
  const isPreflight = headers['access-control-request-method'] !== undefined
  if (!isPreflight || !reply.hasHeader('Access-Control-Allow-Origin')) return
  reply.headers({
    'Access-Control-Allow-Methods': methods,
    // The asterisk covers every header except Authorization. Source: Fetch, 4.9.
    'Access-Control-Allow-Headers': '*, Authorization',
    'Access-Control-Max-Age': PREFLIGHT_SECONDS,
  })
}
