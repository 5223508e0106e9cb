import type { FastifyReply } from 'fastify'

export function varyBy(reply: FastifyReply, field: string): FastifyReply {
  const fields = `${reply.getHeader('vary') ?? ''}`
  if (fields === '') return reply.header('vary', field)
  const isPresent = fields.toLowerCase().split(/ *, */).includes(field.toLowerCase())
  return isPresent ? reply : reply.header('vary', `${fields}, ${field}`)
}
