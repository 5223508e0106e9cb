import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/**
 * Counts the requests that are being answered, from when their body has arrived. A request whose connection has ended is
 * no longer counted, although it has no response event.
 */
export function countUnderWay(server: FastifyInstance): () => number {
  const bySocket = new Map<Socket, Set<FastifyRequest>>()
  // Requests of HTTPS come on the socket that decrypts, not on the connection itself.
  for (const event of ['connection', 'secureConnection']) {
    server.server.on(event, (socket: Socket) => {
      bySocket.set(socket, new Set())
      socket.once('close', () => bySocket.delete(socket))
    })
  }
  server.addHook('preHandler', (request, _reply, done) => {
    bySocket.get(request.raw.socket)?.add(request)
    done()
  })
  server.addHook('onResponse', (request, _reply, done) => {
    bySocket.get(request.raw.socket)?.delete(request)
    done()
  })
  // A reply from the cache has no request here: it shows only as bytes that the socket has not sent yet.
  const unsent = (socket: Socket) => (socket.writableLength > 0 ? 1 : 0)
  return () =>
    [...bySocket].reduce((sum, [socket, requests]) => sum + Math.max(requests.size, unsent(socket)), 0)
}
