import type { FastifyReply } from 'fastify'

/** Says to caches that a reply depends on this header of the request too. */
export function varyBy(reply: FastifyReply, field: string): FastifyReply {
  const known = `${reply.getHeader('Vary') ?? ''}`
  const isKnown = known.toLowerCase().split(/ *, */).includes(field.toLowerCase())
  return isKnown ? reply : reply.header('Vary', known === '' ? field : `${known}, ${field}`)
}
