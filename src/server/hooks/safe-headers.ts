import type { FastifyInstance } from 'fastify'

/** Headers of every reply: browsers take it for what it says, and send its address to nobody. */
export const safeHeaders = { 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' } as const

export function sendSafeHeaders(server: FastifyInstance): void {
  server.addHook('onRequest', (_request, reply, done) => {
    reply.headers(safeHeaders)
    done()
  })
}
