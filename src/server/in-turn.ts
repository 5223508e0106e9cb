import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Requests of one connection that may wait behind the one that is answered; a connection that sends more is closed. */
const MOST_WAITING = 256

type Asked = readonly [request: IncomingMessage, response: ServerResponse]

/**
 * Answers the requests of one connection one after another, as their replies have to leave. node:http would begin all that
 * have arrived at once: then a few connections that pipeline keep every other caller waiting.
 */
export function inTurn(listener: RequestListener): RequestListener {
  const waitingOn = new WeakMap<Socket, Asked[]>()

  function begin(socket: Socket, request: IncomingMessage, response: ServerResponse): void {
    response.once('close', () => {
      const waiting = waitingOn.get(socket)
      if (waiting === undefined || waiting.length === 0) waitingOn.delete(socket)
      // Not at once: the other connections have their turn in between.
      else setImmediate(next, socket, waiting)
    })
    listener(request, response)
  }

  function next(socket: Socket, waiting: Asked[]): void {
    const asked = waiting.shift()
    if (asked !== undefined && socket.writable) begin(socket, ...asked)
  }

  return (request, response) => {
    const { socket } = request
    const waiting = waitingOn.get(socket)
    if (waiting === undefined) {
      waitingOn.set(socket, [])
      begin(socket, request, response)
    } else if (waiting.push([request, response]) > MOST_WAITING) socket.destroy()
  }
}
