import type { FastifyReply } from 'fastify'

/** Adds a request header to Vary. */
export function varyBy(reply: FastifyReply, field: string): FastifyReply {
  const known = `${reply.getHeader('vary') ?? ''}`
  if (known === '') return reply.header('vary', field)
  const isKnown = known.toLowerCase().split(/ *, */).includes(field.toLowerCase())
  return isKnown ? reply : reply.header('vary', `${known}, ${field}`)
}
