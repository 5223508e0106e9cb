import type { FastifyInstance } from 'fastify'

/** Headers of every reply: browsers neither guess its media type nor send its address as a referrer. */
export const safeHeaders = { 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' } as const

export function sendSafeHeaders(server: FastifyInstance): void {
  server.addHook('onRequest', (_request, reply, done) => {
    reply.headers(safeHeaders)
    done()
  })
}
