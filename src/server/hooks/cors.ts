import cors from '@fastify/cors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Headers of a reply that pages of other origins may read. */
const exposed = [
  'Content-Disposition',
  'ETag',
  'Ledgerlake-Coverage',
  'Ledgerlake-From',
  'Ledgerlake-Missing',
  'Ledgerlake-Quota-Limit',
  'Ledgerlake-Quota-Remaining',
  'Ledgerlake-Quota-Reset',
  'Ledgerlake-Rows',
  'Ledgerlake-Snapshot',
  'Ledgerlake-Unknown',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'Server-Timing',
  'X-Request-Id',
]

const PREFLIGHT_SECONDS = 7200

/** Lets pages of these origins ask; with none, browsers let only the server's own pages read replies. */
export function allowOrigins(server: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return
  const origin = origins.includes('*') ? '*' : [...origins]
  // OPTIONS is answered by refuseUnknown, which knows whether the address exists and for which methods.
  server.register(cors, { origin, exposedHeaders: exposed, preflight: false, hideOptionsRoute: true })
}

/** What a browser wants to know before it sends a key or a query from a page that may ask. */
export function answerPreflight({ headers }: FastifyRequest, reply: FastifyReply, methods: string): void {
  const isPreflight = headers['access-control-request-method'] !== undefined
  if (!isPreflight || !reply.hasHeader('Access-Control-Allow-Origin')) return
  reply.headers({
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers':
      'Authorization, Content-Type, If-Match, If-None-Match, Mcp-Protocol-Version, X-Request-Id',
    'Access-Control-Max-Age': PREFLIGHT_SECONDS,
  })
}
