import type { Server } from 'node:http'
import type { ConnectionLoad } from './measures/measure.ts'

/** From this part of the limit on idle connections are closed, so that new ones find room. */
const CROWDED = 0.9
const CLOSE_AGAIN_MS = 1000

/**
 * Refuses connections beyond `most`: each takes an open file, and without free ones neither data files nor the memory figures can be read. Before
 * that, connections that wait for their next request are closed.
 */
export function limitConnections(server: Server, most: number | undefined): () => ConnectionLoad {
  let [open, refused, closedAt] = [0, 0, Number.NEGATIVE_INFINITY]
  if (most !== undefined) server.maxConnections = most
  server.on('connection', (socket) => {
    open += 1
    socket.once('close', () => {
      open -= 1
    })
    if (most === undefined || open < most * CROWDED || performance.now() - closedAt < CLOSE_AGAIN_MS) return
    closedAt = performance.now()
    server.closeIdleConnections()
  })
  server.on('drop', () => {
    refused += 1
  })
  return () => ({ open, most, refused })
}
