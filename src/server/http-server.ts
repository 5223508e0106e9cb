import { createServer, type RequestListener, type Server } from 'node:http'
import { inTurn } from './in-turn.ts'

const LOOK_AT_CONNECTIONS_MS = 1000
const KEEP_ALIVE_MS = 72_000

/**
 * `requestTimeoutMs` is how long a request may take to arrive; an answer has a deadline of its own. Requests of one
 * connection are answered one after another.
 */
export function httpServer(requestTimeoutMs: number, listener: RequestListener): Server {
  return createServer(
    {
      requestTimeout: requestTimeoutMs,
      headersTimeout: requestTimeoutMs,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: LOOK_AT_CONNECTIONS_MS,
    },
    inTurn(listener),
  )
}
