import { parse } from 'node:querystring'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import { resources } from '../catalog/resources.ts'
import { ServiceError } from '../errors.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import type { UsageFile } from '../keys/usage-file.ts'
import type { Repository } from '../repository/repository.ts'
import { type Dialect, specified } from './dialect/dialect.ts'
import { addDocuments } from './documents/documents.ts'
import { replyWithErrors, sendError } from './error-reply.ts'
import { addFrontPage } from './front-page.ts'
import { openGate } from './gate/gate.ts'
import { addGraphqlRoutes } from './graphql/routes.ts'
import { addHealthRoutes } from './health.ts'
import { type Log, logAccess, logger } from './hooks/access-log.ts'
import { allowOrigins } from './hooks/cors.ts'
import { addReplyHeaders, requestIdOf, safeHeaders } from './hooks/reply-headers.ts'
import { refuseInvalidUtf8 } from './hooks/valid-utf8.ts'
import { httpServer } from './http-server.ts'
import { addMetrics, openMetrics } from './metrics.ts'
import { tellCaches } from './reply/cache-control.ts'
import { compressReplies, tagCompressed } from './reply/compression.ts'
import { openReplyCache } from './reply/reply-cache.ts'
import { openSentReplies } from './reply/sent-replies.ts'
import { addRestRoutes } from './rest/routes.ts'
import type { ExportLimits } from './rest/send-file.ts'
import type { ServedSnapshots } from './served-snapshots.ts'
import { answerUnreadable } from './unreadable-request.ts'

export interface ServerOptions {
  readonly repository: Repository
  readonly snapshots: ServedSnapshots
  readonly keys: KeyRing
  readonly usage: UsageFile
  /** Path segment that stands for the network. */
  readonly network: string
  readonly requestTimeoutMs: number
  /** The most requests that are answered at once. */
  readonly mostRequests: number
  readonly exports: ExportLimits & { readonly most: number }
  /** Size of the reply cache. */
  readonly answerMemoryMb: number
  /** Origins allowed by CORS; none by default. */
  readonly origins?: readonly string[]
  /** Those of the specification, unless clients of an existing service are to be served. */
  readonly dialect?: Dialect
  readonly isDraining?: () => boolean
  readonly log?: Log
}

const standardError: Log = { access: false, write: (line) => process.stderr.write(line) }

/** The only request that the router itself refuses. */
const unreadableAddress = new ServiceError(
  'malformed_request',
  'The address cannot be read: its percent-encoding is broken; a percent sign itself is written %25.',
)

/** Builds a server of the services; it does not listen yet. */
export function buildServer(options: ServerOptions): FastifyInstance {
  const { dialect = specified, network, snapshots, origins = [], log = standardError } = options
  const metrics = openMetrics(snapshots, options.repository.coverages)
  const memoryBytes = options.answerMemoryMb * 2 ** 20
  // Replies to other origins differ by origin, and an access log has a line for every request.
  const isAlwaysRouted = memoryBytes === 0 || origins.length > 0 || log.access
  const cache = openReplyCache(memoryBytes)
  const sentReplies = openSentReplies({
    ...{ cache, current: snapshots.current, count: metrics.count },
    isRouted: () => isAlwaysRouted || options.keys.isLocked(),
  })
  const server = Fastify({
    genReqId: requestIdOf,
    logger: logger(log),
    logController: new LogController({ disableRequestLogging: true }),
    // A child logger for every request is slow; the few lines that are logged name the request themselves.
    childLoggerFactory: (own) => own,
    routerOptions: {
      querystringParser: (text) => ({ ...parse(text, '&', '=', { maxKeys: 0 }) }),
      // A long id is not found rather than refused; HTTP limits the length of an address.
      maxParamLength: 65_536,
      ignoreTrailingSlash: true,
    },
    serverFactory: (others) => httpServer(options.requestTimeoutMs, sentReplies.before(others)),
    clientErrorHandler: answerUnreadable,
    return503OnClosing: false,
    frameworkErrors: (_error, request, reply) => {
      reply.header('X-Request-Id', request.id).headers(safeHeaders)
      sendError(unreadableAddress, reply, dialect)
    },
  })
  replyWithErrors(server, dialect)
  addReplyHeaders(server)
  refuseInvalidUtf8(server)
  if (log.access) logAccess(server)
  addMetrics(server, metrics)
  allowOrigins(server, origins)
  tellCaches(server)
  compressReplies(server)
  const gate = openGate(server, { ...options, mostExports: options.exports.most, dialect })
  server.register(async (routes) => {
    tagCompressed(routes)
    sentReplies.follow(routes)
    const prefixes = [network, ...dialect.networks].map((segment) => `/v1/${segment}`)
    addHealthRoutes(routes, snapshots, options.isDraining ?? (() => false))
    for (const prefix of new Set(prefixes)) {
      addRestRoutes(routes, prefix, resources, { ...options, dialect, gate, cache })
    }
    addGraphqlRoutes(routes, resources, { ...options, gate })
    addFrontPage(routes, `/v1/${network}`, snapshots, dialect.queries)
    addDocuments(routes, { ...options, gate })
  })
  return server
}
