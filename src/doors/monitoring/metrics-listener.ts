import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { inBackground } from '../../base/background.ts'
import { fail } from '../../base/errors.ts'
import { safeHeaders } from '../hooks/reply-headers.ts'
import { refuseMalformed } from '../http/request-host.ts'
import { answerUnreadable } from '../http/unreadable-request.ts'
import type { Metrics } from './metrics.ts'

/** A separate address for `/metrics`. */
export interface MetricsAddress {
  readonly host: string
  readonly port: number
}

/** Enough for several monitors; more connections could use up the server's file descriptors. */
const MOST_CONNECTIONS = 64
const limits = {
  ...{ headersTimeout: 5000, requestTimeout: 10_000, connectionsCheckingInterval: 1000 },
  // `refuseMalformed` rejects a missing Host with the server's own message.
  requireHostHeader: false,
}

/** Serves GET /metrics on a separate address, and 404 for the rest. Errors: `address_in_use`, `malformed_request`. */
async function listenForMetrics({ host, port }: MetricsAddress, metrics: Metrics): Promise<Server> {
  async function answer({ url = '', method = '' }: IncomingMessage, response: ServerResponse): Promise<void> {
    const isAsked = /^\/metrics(\?|$)/.test(url) && ['GET', 'HEAD'].includes(method)
    if (!isAsked) {
      response.writeHead(404, { ...safeHeaders, 'content-type': 'text/plain' }).end('GET /metrics\n')
      return
    }
    const text = await metrics.text().catch(() => undefined)
    response
      .writeHead(text === undefined ? 500 : 200, { ...safeHeaders, 'content-type': metrics.contentType })
      .end(text)
  }
  const server = createServer(
    limits,
    refuseMalformed((...call) => inBackground('answering for metrics', () => answer(...call))),
  )
  server.on('clientError', answerUnreadable)
  server.maxConnections = MOST_CONNECTIONS
  server.listen(port, host)
  await once(server, 'listening').catch((cause: NodeJS.ErrnoException) =>
    cause.code === 'EADDRINUSE'
      ? fail('address_in_use', `Port ${port} of ${host} is taken; choose another with --metrics-listen.`, {
          cause,
        })
      : fail('malformed_request', `Cannot listen on ${host}:${port} for metrics: ${cause.message}.`, {
          cause,
        }),
  )
  return server
}

/** Listens from the ready event of the server until it closes. */
export function serveMetricsAt(server: FastifyInstance, address: MetricsAddress, metrics: Metrics): void {
  let listener: Server | undefined
  server.addHook('onReady', async () => {
    listener = await listenForMetrics(address, metrics)
  })
  server.addHook('onClose', async () => {
    listener?.closeAllConnections()
    listener?.close()
  })
}
