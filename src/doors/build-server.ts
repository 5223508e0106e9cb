import { join } from 'node:path'
import Fastify, { type FastifyInstance, LogController } from 'fastify'
import type { Repository } from '../answers/repository.ts'
import { inBackground } from '../base/background.ts'
import { ServiceError } from '../base/errors.ts'
import { readQueryString } from '../base/query-string.ts'
import { resources } from '../catalog/resources.ts'
import type { Engine } from '../engine/engine.ts'
import type { Derived } from '../index/maintenance/derived.ts'
import type { KeyCounter } from '../keys/counting/key-counter.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import type { CheckedFiles } from '../lake/integrity/checked-files.ts'
import { checksLoad } from '../lake/integrity/checks-load.ts'
import { readSources } from '../operate/sync/source-status.ts'
import { type Dialect, specifiedDialect } from './dialect/dialect.ts'
import { addDocuments } from './documents/documents.ts'
import { builtFiles, type ExplorerFiles } from './explorer/built-files.ts'
import { addExplorer } from './explorer/routes.ts'
import type { ExportLimits } from './files/download.ts'
import { openMadeFiles } from './files/made-files.ts'
import { openGate } from './gate/gate.ts'
import type { SqlOptions } from './gate/sql-access.ts'
import { addGraphqlRoutes } from './graphql/routes.ts'
import { builtGuide, type GuidePages } from './guide/pages.ts'
import { addGuide } from './guide/routes.ts'
import { logRouted, openRequestLog } from './hooks/access-log.ts'
import { addCorsHeaders, corsOf } from './hooks/cors.ts'
import { drainLargeBodies } from './hooks/drain-body.ts'
import { type Log, openLogger } from './hooks/log.ts'
import { addReplyHeaders, requestIdOf, safeHeaders } from './hooks/reply-headers.ts'
import { unpackBodies } from './hooks/unpack-body.ts'
import { refuseInvalidUtf8 } from './hooks/valid-utf8.ts'
import { limitConnections } from './http/connection-limit.ts'
import { createHttpServer } from './http/http-server.ts'
import { directAddress, type PublicAddress, withoutBasePath } from './http/public-address.ts'
import { refuseForeignHosts } from './http/request-host.ts'
import type { CertificateFiles } from './http/tls.ts'
import { addressReader, type TrustedProxies, trustProxyOption } from './http/trusted-proxies.ts'
import { openUnknownRequests, replyWithErrors } from './http/unknown-requests.ts'
import { answerUnreadable } from './http/unreadable-request.ts'
import { addMcpRoute } from './mcp/routes.ts'
import { addHealthRoutes, openHealth } from './monitoring/health.ts'
import { folderSize } from './monitoring/measures/state-size.ts'
import { addMetricsRoute, countReplies, openMetrics } from './monitoring/metrics.ts'
import { type MetricsAddress, serveMetricsAt } from './monitoring/metrics-listener.ts'
import type { GatherMetrics } from './monitoring/whole-metrics.ts'
import { openPipeline } from './pipeline/pipeline.ts'
import { openSender } from './pipeline/send-reply.ts'
import { openSentReplies } from './pipeline/sent-replies.ts'
import { type PostgresOptions, servePostgres } from './postgres/serve-postgres.ts'
import { addCacheControl } from './reply/cache-control.ts'
import { compressReplies } from './reply/compression.ts'
import { sendError } from './reply/error-reply.ts'
import { openReplyCache } from './reply/reply-cache.ts'
import { addRestRoutes } from './rest/routes.ts'
import { addSharing } from './sharing/routes.ts'
import type { Sharing } from './sharing/sharing-options.ts'
import type { ServedSnapshots } from './snapshots/served-snapshots.ts'

export interface ServerOptions extends SqlOptions {
  readonly repository: Repository
  readonly snapshots: ServedSnapshots
  readonly keys: KeyRing
  readonly counter: KeyCounter
  /** The engine, for health and metrics. */
  readonly engine?: Pick<Engine, 'load' | 'ping' | 'isOpening'>
  /** Derived structures, for metrics. */
  readonly derived?: readonly Derived[]
  /** State folder. */
  readonly stateFolder?: string
  /** Verified data files; without them there are no exports on disk and no sharing. */
  readonly checkedFiles?: CheckedFiles
  /** Path segment of the network. */
  readonly network: string
  readonly requestTimeoutMs: number
  /** Concurrency limit of requests. */
  readonly mostRequests: number
  /** Longest estimated wait of an accepted request in ms; default: 3000. */
  readonly mostWaitMs?: number
  /** Concurrent statements of the engine; default: 4. */
  readonly engineConnections?: number
  readonly exports: ExportLimits & { readonly most: number }
  /** Size of the reply cache in MB. */
  readonly answerMemoryMb: number
  /** Disk cache of exports in MB, which byte ranges need; default: 1024. */
  readonly fileCacheMb?: number
  /** Address of the server for clients; default: scheme and Host of each request. */
  readonly outside?: PublicAddress
  /** Proxies whose X-Forwarded headers are used; none by default. */
  readonly trustProxy?: TrustedProxies
  /** Certificate for HTTPS; HTTP without it. */
  readonly certificate?: CertificateFiles | undefined
  /** Requires Host to be an address, localhost, or a host of `outside` or `origins` while no keys are needed. */
  readonly isForOneMachine?: boolean
  /** Separate address of `/metrics`; by default it is a route of the server. */
  readonly metricsAddress?: MetricsAddress | null
  /** Requires a key with the feature Metrics for `/metrics`, if keys are needed. */
  readonly areMetricsLocked?: boolean
  /** Number of SQL processes that ended unexpectedly, by reason. */
  readonly sqlEndings?: (() => Readonly<Record<string, number>>) | undefined
  /** Delta Sharing; without it no table is shared. */
  readonly sharing?: Sharing | undefined
  /** The address for clients of PostgreSQL; without it there is none. */
  readonly postgres?: PostgresOptions | undefined
  /** Origins allowed by CORS; none by default. */
  readonly origins?: readonly string[]
  /** Default: the specified dialect. */
  readonly dialect?: Dialect
  /** Files of the explorer; default: the bundled ones. */
  readonly explorer?: ExplorerFiles
  /** Reads the guide; default: the bundled one. */
  readonly readGuide?: () => Promise<GuidePages | undefined>
  /** Limit of connections; unlimited by default. */
  readonly mostConnections?: number | undefined
  readonly isDraining?: () => boolean
  readonly log?: Log
  /** Gathers the metrics of all processes; default: only this process. */
  readonly gatherMetrics?: GatherMetrics | undefined
}

const standardError: Log = { access: false, write: (line) => process.stderr.write(line) }

/** The router itself refuses only addresses that it cannot decode. */
const unreadableAddress = new ServiceError(
  'malformed_request',
  'The address cannot be read: its percent-encoding is broken; a percent sign itself is written %25.',
)

/** Handlers check their requests themselves, so that errors name every wrong parameter. */
function refuseSchemas(): never {
  throw new Error('a route has a schema; check its requests in the handler')
}

/** Builds the server without listening. */
export function buildServer(options: ServerOptions): FastifyInstance {
  const { dialect = specifiedDialect, network, snapshots, origins = [], log = standardError } = options
  const { outside = directAddress, trustProxy = false, stateFolder } = options
  const errorForm = { dialect, basePath: outside.basePath }
  const memoryBytes = options.answerMemoryMb * 2 ** 20
  let isClosing = false
  const cache = openReplyCache(memoryBytes)
  const health = openHealth(options)
  const measured = {
    ...{ current: snapshots.current, coverages: options.repository.coverages, cache: cache.load },
    ...{ engine: options.engine, derived: options.derived ?? [], limits: () => gate.limits() },
    backlog: () => gate.backlog(),
    sqlEndings: options.sqlEndings,
    ...(stateFolder !== undefined && {
      stateBytes: folderSize(stateFolder),
      sources: () => readSources(stateFolder).catch(() => []),
    }),
    checks: () => options.checkedFiles && checksLoad(options.checkedFiles, snapshots.current()),
    connections: () => ({ http: connections(), ...(postgres && { postgres: postgres.load }) }),
    isReady() {
      inBackground('asking the engine', health.look)
      return health.problem() === undefined
    },
  }
  const metrics = openMetrics(measured, options.gatherMetrics)
  const logger = openLogger(log)
  const requestLog = openRequestLog(log, logger)
  const cors = corsOf(origins)
  const sent = openSentReplies(cache, snapshots.current)
  const pipeline = openPipeline({
    ...{ cors, sent, gate: () => gate, isClosing: () => isClosing, pathOf: withoutBasePath(outside) },
    send: openSender({ count: metrics.count, log: requestLog, addressOf: addressReader(trustProxy) }),
  })
  const { isForOneMachine = false } = options
  const isHostChecked = () => isForOneMachine && !options.keys.isLocked()
  const hostNames = [outside.origin, ...origins].flatMap((origin) => hostNameOf(origin) ?? [])
  const server: FastifyInstance = Fastify({
    genReqId: requestIdOf,
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    // A child logger per request is slow; log lines name their request themselves.
    childLoggerFactory: (own) => own,
    routerOptions: {
      querystringParser: readQueryString,
      // A long id gives 404 instead of a router error; HTTP limits the length of an address.
      maxParamLength: 65_536,
      ignoreTrailingSlash: true,
    },
    trustProxy: trustProxyOption(trustProxy),
    ...(outside.basePath !== '' && { rewriteUrl: withoutBasePath(outside) }),
    serverFactory: (others) =>
      createHttpServer(
        options.requestTimeoutMs,
        refuseForeignHosts(isHostChecked, hostNames, pipeline.before(others)),
        options.certificate,
        (error) => server.log.error(error),
      ),
    clientErrorHandler: answerUnreadable,
    return503OnClosing: false,
    // Fastify loads its own compilers otherwise, which the bundle lacks.
    schemaController: { compilersFactory: { buildValidator: refuseSchemas, buildSerializer: refuseSchemas } },
    frameworkErrors: (_error, request, reply) => {
      reply.header('X-Request-Id', request.id).headers(safeHeaders)
      sendError(unreadableAddress, reply, errorForm)
    },
  })
  const connections = limitConnections(server.server, options.mostConnections)
  let stopLooking = () => {}
  // A ping makes the pool replace an engine that hangs or has failed.
  server.addHook('onListen', async () => {
    stopLooking = health.keepLooking()
  })
  server.addHook('onClose', async () => stopLooking())
  server.addHook('preClose', (done) => {
    isClosing = true
    done()
  })
  const answerUnknown = openUnknownRequests(server, outside.basePath)
  replyWithErrors(server, errorForm, answerUnknown)
  addReplyHeaders(server)
  drainLargeBodies(server)
  unpackBodies(server)
  refuseInvalidUtf8(server)
  logRouted(server, requestLog)
  countReplies(server, metrics)
  addCorsHeaders(server, cors)
  addCacheControl(server)
  const { mostWaitMs = 3000, engineConnections = 4 } = options
  const limits = { mostExports: options.exports.most, mostWaitMs, engineConnections }
  const gate = openGate(server, { ...options, ...limits, dialect })
  if (options.metricsAddress) serveMetricsAt(server, options.metricsAddress, metrics)
  else addMetricsRoute(server, metrics, options.areMetricsLocked === true ? gate.route(['Metrics']) : {})
  const postgres =
    options.postgres &&
    servePostgres(server, options.postgres, {
      ...{ keys: options.keys, gate, snapshots, requestTimeoutMs: options.requestTimeoutMs },
      onAnswer(statement) {
        const { id, key, from, ms, status, bytes, snapshot } = statement
        const counted = { method: 'QUERY', route: 'postgres', status }
        metrics.count({ ...counted, seconds: ms / 1000, bytes })
        if (requestLog.has(ms))
          requestLog.write({
            ...{ ...counted, id, url: 'postgres', ms, from, key },
            header: (name) => (name === 'ledgerlake-snapshot' ? snapshot : undefined),
          })
      },
      log: (error) => server.log.error(error),
    })
  const { checkedFiles, fileCacheMb = 1024 } = options
  const made =
    stateFolder === undefined || checkedFiles === undefined || fileCacheMb === 0
      ? undefined
      : openMadeFiles(join(stateFolder, 'files'), fileCacheMb * 2 ** 20, checkedFiles)
  server.register(async (routes) => {
    compressReplies(routes)
    sent.follow(routes)
    const prefixes = [network, ...dialect.networks].map((segment) => `/v1/${segment}`)
    addHealthRoutes(routes, snapshots, health, outside.basePath)
    for (const prefix of new Set(prefixes)) {
      addRestRoutes(routes, prefix, resources, {
        ...options,
        dialect,
        gate,
        cache,
        pipeline,
        made,
        basePath: outside.basePath,
        sources: measured.sources,
      })
    }
    const files = options.explorer ?? builtFiles
    const { basePath } = outside
    addGraphqlRoutes(routes, resources, { ...options, gate, pipeline, basePath, page: files?.graphql })
    addMcpRoute(routes, resources, {
      ...{ ...options, dialect, gate, outside },
      restPrefix: `${basePath}/v1/${network}`,
    })
    const { sharing } = options
    if (sharing !== undefined && checkedFiles !== undefined)
      addSharing(routes, { ...options, ...sharing, checkedFiles, gate, outside, answerUnknown })
    addExplorer(routes, {
      ...{ files, snapshots, network },
      ...{ queries: dialect.queries, basePath },
    })
    addDocuments(routes, { ...options, gate, outside })
    addGuide(routes, basePath, options.readGuide ?? builtGuide)
  })
  return server
}

/** Returns undefined for invalid origins, such as `*`. */
function hostNameOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).hostname : undefined
}
