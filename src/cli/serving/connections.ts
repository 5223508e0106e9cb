import type { Server, ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout } from 'node:timers/promises'

const LOOK_AGAIN_MS = 50

/** Closes all connections when no request is in progress. Browsers open spare connections that never send a request. */
export async function closeSilentConnections(server: Server, answering: () => number): Promise<void> {
  // Wait at first too: a request may have arrived without having been read.
  do await setTimeout(LOOK_AGAIN_MS)
  while (answering() > 0)
  server.closeAllConnections()
}

/**
 * Stops accepting connections, and waits until all are closed: after their next response, which announces it, or after
 * the idle timeout. Answers requests in transit.
 */
export async function finishConnections(server: Server): Promise<void> {
  server.prependListener('request', (_request, response: ServerResponse) => {
    response.shouldKeepAlive = false
  })
  // `close` of node:http would close idle connections that may have a request in transit.
  await new Promise<void>((resolve) => {
    NetServer.prototype.close.call(server, () => resolve())
  })
}
