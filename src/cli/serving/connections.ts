import type { Server, ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'
import { setTimeout } from 'node:timers/promises'

const LOOK_AGAIN_MS = 50

/** Browsers open spare connections that never ask anything; nothing is lost when they go. */
export async function closeSilentConnections(server: Server, answering: () => number): Promise<void> {
  // At first too: what has arrived may not have been read yet.
  do await setTimeout(LOOK_AGAIN_MS)
  while (answering() > 0)
  server.closeAllConnections()
}

/**
 * Accepts no connection any more and waits until all are closed: each after its next reply, which says so, or when it has been idle for as long
 * as any may be. A request that is on its way is answered.
 */
export async function finishConnections(server: Server): Promise<void> {
  server.prependListener('request', (_request, response: ServerResponse) => {
    response.shouldKeepAlive = false
  })
  // That of node:http would close idle connections, on which a request may be on its way.
  await new Promise<void>((resolve) => {
    NetServer.prototype.close.call(server, () => resolve())
  })
}
