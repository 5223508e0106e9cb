import type { FastifyReply } from 'fastify'

/** Calls once, when a reply was sent or its caller is gone. */
export function whenOver({ raw }: FastifyReply, tell: () => void): void {
  raw.once('close', tell)
}
