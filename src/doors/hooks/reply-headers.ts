import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { withoutKeys } from '../../keys/api-key.ts'

const REQUEST_ID = /^[\w.:-]{1,64}$/

/** Returns the client's request id if it is short, plain and has no API key; otherwise a new one. */
export function requestIdOf({ headers }: { readonly headers: NodeJS.Dict<string | string[]> }): string {
  const id = headers['x-request-id']
  const isAccepted = typeof id === 'string' && REQUEST_ID.test(id) && withoutKeys(id) === id
  return isAccepted ? id : randomUUID()
}

/** Security headers of every response; HTML pages replace the Content-Security-Policy. */
export const safeHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
} as const

/** Fastify stores header names in lower case. */
export const safeHeadersInLowerCase = Object.fromEntries(
  Object.entries(safeHeaders).map(([name, value]) => [name.toLowerCase(), value]),
)

export function addReplyHeaders(server: FastifyInstance): void {
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).headers(safeHeadersInLowerCase)
    done()
  })
}
