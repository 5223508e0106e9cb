import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Counts the requests that wait to be answered or are being answered, from when their body has arrived. A request whose
 * connection has ended is no longer counted, although it has no response event.
 */
export function countUnderWay(server: FastifyInstance): () => number {
  const bySocket = new Map<Socket, IncomingMessage[]>()
  // Requests of HTTPS come on the socket that decrypts, not on the connection itself.
  for (const event of ['connection', 'secureConnection']) {
    server.server.on(event, (socket: Socket) => {
      bySocket.set(socket, [])
      socket.once('close', () => bySocket.delete(socket))
    })
  }
  // Here and not in a hook, before which a request may wait for others.
  server.server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const own = bySocket.get(request.socket)
    own?.push(request)
    response.on('close', () => own?.splice(own.indexOf(request), 1))
  })
  const arrived = (requests: readonly IncomingMessage[]) => requests.filter(hasArrived).length
  // What was answered already shows only as bytes that the socket has not sent yet.
  const unsent = (socket: Socket) => (socket.writableLength > 0 ? 1 : 0)
  return () =>
    [...bySocket].reduce((sum, [socket, requests]) => sum + Math.max(arrived(requests), unsent(socket)), 0)
}

/** While its head is handled, a request without a body is not complete yet. */
function hasArrived({ complete, headers }: IncomingMessage): boolean {
  return complete || (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined)
}
