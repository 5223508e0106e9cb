import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { ConnectionLoad } from '../monitoring/measures/measure.ts'

/** Above this part of the limit, idle connections are closed. */
const CROWDED = 0.9
const CLOSE_AGAIN_MS = 1000
/** A connection without a first byte for this long counts as idle. */
const SILENT_MS = 1000

/** Closes idle connections near the limit and refuses more: without free file descriptors, data files could not be opened. */
export function limitConnections(server: Server, most: number | undefined): () => ConnectionLoad {
  let [refused, closedAt] = [0, Number.NEGATIVE_INFINITY]
  /** Open connections, oldest first, with the time at which each was opened. */
  const open = new Map<Socket, number>()
  if (most !== undefined) server.maxConnections = most

  function makeRoom(): void {
    const now = performance.now()
    if (most === undefined || open.size < most * CROWDED || now - closedAt < CLOSE_AGAIN_MS) return
    closedAt = now
    // node:http does not count a connection without a first request as idle.
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
