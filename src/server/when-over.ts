import type { FastifyReply } from 'fastify'

/** Calls `tell` once, when the reply was sent or its caller has disconnected. */
export function whenOver({ raw }: FastifyReply, tell: () => void): void {
  raw.once('close', tell)
}
