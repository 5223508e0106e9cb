import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionLoad } from '../measures/measure.ts'

/** From this part of the limit on idle connections are closed, so that new ones find room. */
const CROWDED = 0.9
const CLOSE_AGAIN_MS = 1000
/** A client that wants something has sent its first byte by then. */
const SILENT_MS = 1000

/**
 * Refuses connections beyond `most`: each takes an open file, and without free ones neither data files nor the memory figures can be read. Before
 * that, connections are closed that wait for their next request or have sent nothing.
 */
export function limitConnections(server: Server, most: number | undefined): () => ConnectionLoad {
  let [refused, closedAt] = [0, Number.NEGATIVE_INFINITY]
  /** Open connections, oldest first, with the time at which each was opened. */
  const open = new Map<Socket, number>()
  if (most !== undefined) server.maxConnections = most

  function makeRoom(): void {
    const now = performance.now()
    if (most === undefined || open.size < most * CROWDED || now - closedAt < CLOSE_AGAIN_MS) return
    closedAt = now
    // For node:http a connection without a first request is not idle.
    for (const [socket, openedAt] of open) {
      if (now - openedAt < SILENT_MS) break
      if (socket.bytesRead === 0) socket.destroy()
    }
    server.closeIdleConnections()
  }

  server.on('connection', (socket: Socket) => {
    open.set(socket, performance.now())
    socket.once('close', () => open.delete(socket))
    makeRoom()
  })
  server.on('drop', () => {
    refused += 1
    makeRoom()
  })
  return () => ({ open: open.size, most, refused })
}
