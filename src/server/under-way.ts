import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'

/**
 * Counts the requests that are being answered; before its body has arrived there is nothing to answer. A connection that
 * has ended takes its request along, which never hears of it.
 */
export function countUnderWay(server: FastifyInstance): () => number {
  const bySocket = new Map<Socket, Set<FastifyRequest>>()
  server.server.on('connection', (socket: Socket) => {
    bySocket.set(socket, new Set())
    socket.once('close', () => bySocket.delete(socket))
  })
  server.addHook('preHandler', (request, _reply, done) => {
    bySocket.get(request.raw.socket)?.add(request)
    done()
  })
  server.addHook('onResponse', (request, _reply, done) => {
    bySocket.get(request.raw.socket)?.delete(request)
    done()
  })
  // Replies that are sent at once are nowhere but in what the connection has not taken yet.
  const unsent = (socket: Socket) => (socket.writableLength > 0 ? 1 : 0)
  return () =>
    [...bySocket].reduce((sum, [socket, requests]) => sum + Math.max(requests.size, unsent(socket)), 0)
}
