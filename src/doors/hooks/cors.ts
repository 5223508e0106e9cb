import cors from '@fastify/cors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const PREFLIGHT_SECONDS = 7200

/** Lets pages of these origins ask; with none, browsers let only the server's own pages read replies. */
export function allowOrigins(server: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return
  const origin = origins.includes('*') ? '*' : [...origins]
  // OPTIONS is answered by answerUnknown, which knows whether the address exists and for which methods.
  server.register(cors, { origin, exposedHeaders: '*', preflight: false, hideOptionsRoute: true })
}

/** What a browser wants to know before it sends a key or a query from a page that may ask. */
export function answerPreflight({ headers }: FastifyRequest, reply: FastifyReply, methods: string): void {
  const isPreflight = headers['access-control-request-method'] !== undefined
  if (!isPreflight || !reply.hasHeader('Access-Control-Allow-Origin')) return
  reply.headers({
    'Access-Control-Allow-Methods': methods,
    // The asterisk is for every header but this one, since no request has cookies. Source: Fetch, 4.9.
    'Access-Control-Allow-Headers': '*, Authorization',
    'Access-Control-Max-Age': PREFLIGHT_SECONDS,
  })
}
