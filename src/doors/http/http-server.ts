import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https'
import type { Socket } from 'node:net'
import { noteFailure } from '../../base/background.ts'
import { inSlices } from './in-slices.ts'
import { unlessMalformed } from './request-host.ts'
import { type CertificateFiles, followCertificate } from './tls.ts'

const LOOK_AT_CONNECTIONS_MS = 1000
const KEEP_ALIVE_MS = 72_000
/** A handshake takes a few packets, whatever time a request may have. */
const LONGEST_HANDSHAKE_MS = 10_000

/** The most requests of one connection that may wait for the one that is being answered; a connection that sends more is closed. */
const MOST_WAITING = 256

type Waiting = readonly [request: IncomingMessage, response: ServerResponse]

/** The requests of one connection. */
interface Turns {
  isAnswering: boolean
  readonly waiting: Waiting[]
}

/**
 * `requestTimeoutMs` is how long a request may take to arrive, and a reply may stand still; an answer has a deadline of its own. Requests of one
 * connection are answered one after another. With a certificate it speaks HTTPS, and `onError` is told when a new one is wrong.
 */
export function httpServer(
  requestTimeoutMs: number,
  listener: RequestListener,
  certificate?: CertificateFiles,
  onError: (error: unknown) => void = () => {},
): Server {
  const options = {
    requestTimeout: requestTimeoutMs,
    headersTimeout: requestTimeoutMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: LOOK_AT_CONNECTIONS_MS,
    // Node would refuse it without the headers of other replies.
    requireHostHeader: false,
  }
  const { begin, noteConnection } = inSlices(guarded(listener))
  const server =
    certificate === undefined
      ? createServer(options, inTurn(begin, requestTimeoutMs))
      : createSecureServer(
          {
            ...options,
            ...certificate.first,
            handshakeTimeout: Math.min(requestTimeoutMs, LONGEST_HANDSHAKE_MS),
          },
          inTurn(begin, requestTimeoutMs),
        )
  if (certificate !== undefined) followCertificate(server as SecureServer, certificate, onError)
  server.on('connection', noteConnection)
  // Other expectations than 100-continue are ignored; Node would refuse them.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  return server
}

/** Cuts the connection of a request that cannot even be begun; the others go on. */
function guarded(listener: RequestListener): RequestListener {
  const begin = unlessMalformed(listener)
  return (request, response) => {
    try {
      begin(request, response)
    } catch (error) {
      noteFailure('beginning a request', error)
      request.socket.destroy()
    }
  }
}

/**
 * Answers pipelined requests of one connection one after another. node:http would start all of them at once, so that a few
 * connections could keep every other caller waiting. Whoever takes no byte of a reply for `stallMs` would keep it in memory, and is cut.
 */
function inTurn(listener: RequestListener, stallMs: number): RequestListener {
  const turnsOf = new WeakMap<Socket, Turns>()

  function begin(socket: Socket, turns: Turns, request: IncomingMessage, response: ServerResponse): void {
    turns.isAnswering = true
    // A listener of the server instead would keep node:http from closing connections that are idle.
    socket.setTimeout(stallMs)
    response.on('timeout', () => socket.writableLength > 0 && socket.destroy())
    response.on('close', () => {
      // Not in the same turn, so that other connections are served in between.
      if (turns.waiting.length > 0) setImmediate(next, socket, turns)
      else turns.isAnswering = false
    })
    listener(request, response)
  }

  function next(socket: Socket, turns: Turns): void {
    const first = turns.waiting.shift()
    if (first !== undefined && socket.writable) begin(socket, turns, ...first)
  }

  return (request, response) => {
    const { socket } = request
    const turns = turnsOf.get(socket) ?? { isAnswering: false, waiting: [] }
    if (!turnsOf.has(socket)) turnsOf.set(socket, turns)
    if (!turns.isAnswering) begin(socket, turns, request, response)
    else if (turns.waiting.push([request, response]) > MOST_WAITING) socket.destroy()
  }
}
