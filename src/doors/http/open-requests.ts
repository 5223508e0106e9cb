import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Returns a function that counts the open requests whose body has arrived. A request leaves the count when its connection ends. */
export function openRequestCounter(server: FastifyInstance): () => number {
  const bySocket = new Map<Socket, IncomingMessage[]>()
  // HTTPS requests arrive on the decrypting socket.
  for (const event of ['connection', 'secureConnection']) {
    server.server.on(event, (socket: Socket) => {
      bySocket.set(socket, [])
      socket.once('close', () => bySocket.delete(socket))
    })
  }
  // A Fastify hook would run too late: a request may wait before it.
  server.server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const requests = bySocket.get(request.socket)
    requests?.push(request)
    response.on('close', () => requests?.splice(requests.indexOf(request), 1))
  })
  const arrived = (requests: readonly IncomingMessage[]) => requests.filter(hasArrived).length
  // A finished response may still have unsent bytes.
  const unsent = (socket: Socket) => (socket.writableLength > 0 ? 1 : 0)
  return () =>
    [...bySocket].reduce((sum, [socket, requests]) => sum + Math.max(arrived(requests), unsent(socket)), 0)
}

/** A request without a body is not `complete` while its head is handled. */
function hasArrived({ complete, headers }: IncomingMessage): boolean {
  return complete || (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined)
}
