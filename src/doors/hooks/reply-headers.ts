import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { withoutKeys } from '../../operate/keys/api-key.ts'

const TAKEN_OVER = /^[\w.:-]{1,64}$/

/** The id that the caller has given a request, if it is short, plain and no part of a key; otherwise one of our own. */
export function requestIdOf({ headers }: { readonly headers: NodeJS.Dict<string | string[]> }): string {
  const given = headers['x-request-id']
  const isTaken = typeof given === 'string' && TAKEN_OVER.test(given) && withoutKeys(given) === given
  return isTaken ? given : randomUUID()
}

/**
 * Browsers neither guess the media type of a reply nor send its address as a referrer, and show it in no frame. What is no page
 * loads nothing; pages have a policy of their own instead.
 */
export const safeHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
} as const

/** As Fastify keeps them. */
export const safeInSmallLetters = Object.fromEntries(
  Object.entries(safeHeaders).map(([name, value]) => [name.toLowerCase(), value]),
)

/** Every reply says which request it answers, and has the safe headers. */
export function addReplyHeaders(server: FastifyInstance): void {
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id).headers(safeInSmallLetters)
    done()
  })
}
