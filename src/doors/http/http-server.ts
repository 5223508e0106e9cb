import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { Socket } from 'node:net'
import { noteFailure } from '../../base/background.ts'
import { inSlices } from './in-slices.ts'
import { refuseMalformed } from './request-host.ts'
import { type CertificateFiles, followCertificate } from './tls.ts'

const CHECK_CONNECTIONS_MS = 1000
const KEEP_ALIVE_MS = 72_000
const LONGEST_HANDSHAKE_MS = 10_000

/** Most pipelined requests of a connection; it is closed when it sends more. */
const MOST_PIPELINED = 256

type Exchange = readonly [request: IncomingMessage, response: ServerResponse]

/** Pipelined requests of one connection. */
interface Pipeline {
  isAnswering: boolean
  readonly waiting: Exchange[]
}

/**
 * Creates an HTTP server, or an HTTPS server if there is a certificate; `onError` receives errors of a renewed one.
 * `requestTimeoutMs` limits how long a request may take to arrive, and how long a client may stop reading the response.
 */
export function createHttpServer(
  requestTimeoutMs: number,
  listener: RequestListener,
  certificate?: CertificateFiles,
  onError: (error: unknown) => void = () => {},
): Server {
  const options = {
    requestTimeout: requestTimeoutMs,
    headersTimeout: requestTimeoutMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    connectionsCheckingInterval: CHECK_CONNECTIONS_MS,
    // Node's own refusal would lack the headers of other responses.
    requireHostHeader: false,
  }
  const { begin, noteConnection } = inSlices(closeOnError(listener))
  const server =
    certificate === undefined
      ? createServer(options, serializePipelines(begin, requestTimeoutMs))
      : createSecureServer(
          {
            ...options,
            ...certificate.first,
            handshakeTimeout: Math.min(requestTimeoutMs, LONGEST_HANDSHAKE_MS),
          },
          serializePipelines(begin, requestTimeoutMs),
        )
  if (certificate !== undefined && 'setSecureContext' in server)
    followCertificate(server, certificate, onError)
  server.on('connection', noteConnection)
  // Node would refuse expectations other than 100-continue; we ignore them.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  return server
}

/** Closes only the connection of a request whose handler throws. */
function closeOnError(listener: RequestListener): RequestListener {
  const begin = refuseMalformed(listener)
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
 * Handles pipelined requests of a connection one after another: node:http would start all of them at once, and starve other clients.
 * Closes a connection that reads no byte of a response for `stallMs`.
 */
function serializePipelines(listener: RequestListener, stallMs: number): RequestListener {
  const pipelines = new WeakMap<Socket, Pipeline>()

  function begin(
    socket: Socket,
    pipeline: Pipeline,
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    pipeline.isAnswering = true
    // A timeout listener on the server would stop node:http from closing idle connections.
    socket.setTimeout(stallMs)
    response.on('timeout', () => socket.writableLength > 0 && socket.destroy())
    response.on('close', () => {
      // Serve other connections in between.
      if (pipeline.waiting.length > 0) setImmediate(next, socket, pipeline)
      else pipeline.isAnswering = false
    })
    listener(request, response)
  }

  function next(socket: Socket, pipeline: Pipeline): void {
    const first = pipeline.waiting.shift()
    if (first !== undefined && socket.writable) begin(socket, pipeline, ...first)
  }

  return (request, response) => {
    const { socket } = request
    const pipeline = pipelines.get(socket) ?? { isAnswering: false, waiting: [] }
    if (!pipelines.has(socket)) pipelines.set(socket, pipeline)
    if (!pipeline.isAnswering) begin(socket, pipeline, request, response)
    else if (pipeline.waiting.push([request, response]) > MOST_PIPELINED) socket.destroy()
  }
}
