import type { Socket } from 'node:net'
import type { FastifyReply } from 'fastify'

const bySocket = new WeakMap<Socket, Set<() => void>>()

/**
 * Calls once, when a reply was sent or its caller is gone. A reply that waits behind another one of its connection never
 * hears that the connection has ended, so the connection is asked too.
 */
export function whenOver({ raw, request }: FastifyReply, tell: () => void): void {
  const ofSocket = followSocket(request.raw.socket)
  const over = () => {
    if (ofSocket.delete(over)) tell()
  }
  ofSocket.add(over)
  raw.once('close', over)
}

/** One listener a connection, however many requests it brings. */
function followSocket(socket: Socket): Set<() => void> {
  const known = bySocket.get(socket)
  if (known !== undefined) return known
  const made = new Set<() => void>()
  bySocket.set(socket, made)
  socket.once('close', () => {
    for (const over of made) over()
  })
  return made
}
