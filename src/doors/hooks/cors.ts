import cors from '@fastify/cors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const PREFLIGHT_SECONDS = 7200

/** Allows cross-origin requests from these origins. */
export function allowOrigins(server: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return
  const origin = origins.includes('*') ? '*' : [...origins]
  // answerUnknown responds to OPTIONS: it knows the methods of each path.
  server.register(cors, { origin, exposedHeaders: '*', preflight: false, hideOptionsRoute: true })
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
