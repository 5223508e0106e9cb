import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Longest time to read the rest of a body. */
const LINGER_MS = 1000

/**
 * Reads the rest of a body that is too large before it sends the response. Closing a connection with unread bytes resets it, and the
 * client would lose the response. Source: RFC 9112, 9.6.
 */
export function drainLargeBodies(server: FastifyInstance): void {
  server.addHook('onRoute', (route) => {
    if (route.method === 'POST') route.onSend = [[route.onSend ?? []], drainBody].flat(2)
  })
}

async function drainBody({ raw }: FastifyRequest, { statusCode }: FastifyReply, payload: unknown) {
  if (statusCode === 413 && !raw.readableEnded) await drain(raw)
  return payload
}

function drain(message: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, LINGER_MS)
    const end = () => {
      clearTimeout(timer)
      resolve()
    }
    message.once('end', end).once('close', end).resume()
  })
}
