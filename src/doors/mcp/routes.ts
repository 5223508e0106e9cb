import { isIP } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Repository } from '../../answers/repository.ts'
import { quoted } from '../../base/parameter-text.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { type Gate, requireFeatures } from '../gate/gate.ts'
import { reachOf, withinLookBack } from '../gate/look-back.ts'
import { type SqlOptions, sqlAccess } from '../gate/sql-access.ts'
import { directAddress, type PublicAddress } from '../http/public-address.ts'
import { anySignal, signalFor } from '../http/request-signal.ts'
import { accepts } from '../reply/accept.ts'
import { toServiceError } from '../reply/error-reply.ts'
import type { ServedSnapshots } from '../snapshots/served-snapshots.ts'
import { createDoor } from './door.ts'
import { refuseBatch, WITH_BATCHES } from './rpc/batch.ts'
import { type RpcError, rpcError } from './rpc/rpc-error.ts'
import type { Tool } from './tool.ts'
import { allTools } from './tools.ts'

export interface McpOptions extends SqlOptions {
  readonly repository: Repository
  readonly snapshots: ServedSnapshots
  readonly requestTimeoutMs: number
  readonly gate: Gate
  readonly dialect: Dialect
  /** Address of the server; by default that of each request. */
  readonly outside?: PublicAddress
  /** Prefix of REST paths. */
  readonly restPrefix: string
  /** Allowed origins of pages. */
  readonly origins?: readonly string[]
}

/** Serves the tools at `/mcp` over streamable HTTP: one message per POST, a JSON reply, no sessions. */
export function addMcpRoute(
  server: FastifyInstance,
  resources: readonly Resource[],
  options: McpOptions,
): void {
  const { repository, snapshots, gate, dialect, restPrefix, requestTimeoutMs } = options
  let tools: readonly Tool[] | undefined

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const foreign = foreignOriginReason(request, options)
    if (foreign !== undefined) return refuse(reply, 403, rpcError('transport', foreign))
    const { body, headers } = request
    if (!accepts(headers.accept, 'application/json'))
      return refuse(reply, 406, rpcError('transport', 'Accept must include application/json.'))
    const refusal = refuseBatch(body, headers['mcp-protocol-version'] ?? WITH_BATCHES)
    if (refusal !== undefined) return refuse(reply, 400, refusal)
    gate.enter(reply)
    // Each message of a batch counts as a request.
    const reserved = [
      request.quotaReservation,
      ...(Array.isArray(body) ? body.slice(1) : []).map(() => gate.countAnother(reply)),
    ]
    const signal = signalFor(reply, requestTimeoutMs)
    const sql = sqlAccess(request, options)
    // Most servers never receive a message.
    tools ??= allTools(resources, dialect, restPrefix)
    // The quota counts successful calls, as they finish.
    request.quotaReservation = null
    const door = createDoor({
      ...{ tools, repository, snapshots, sql, errorLog: request },
      clientOf: (cancelled) => ({
        ...{ sql, signal: anySignal(signal, cancelled), features: request.apiKey?.features },
        allowed: (resource, filters) => withinLookBack(resource, filters, request, reply),
        reach: reachOf(request),
        requireFeatures(needs) {
          if (request.apiKey !== null) requireFeatures(request.apiKey, needs)
        },
        inTurn: (work, job) => gate.inTurn(reply, work, signal, job),
      }),
      onAnswer: () => reserved.pop()?.spend(),
      retryAfter: () => (reply.hasHeader('Retry-After') ? Number(reply.getHeader('Retry-After')) : undefined),
    })
    // Loaded lazily: no other request needs the SDK.
    const { answerPost } = await import('./protocol.ts')
    const response = await answerPost(door, headersOf(request), body)
    const type = response.headers.get('content-type')
    reply.code(response.status).header('Cache-Control', 'no-store')
    if (type !== null) reply.type(type)
    return reply.send(await response.text())
  }

  server.register(async (door) => {
    door.removeContentTypeParser('text/plain')
    door.setErrorHandler((error: FastifyError, request, reply) => {
      const [status, reason, sentence] = bodyErrors[error.code] ?? []
      if (status === undefined || reason === undefined) throw error
      return refuse(reply, status, rpcError(reason, sentence ?? toServiceError(error, request).message))
    })
    door.post('/mcp', gate.route(), answer)
  })
}

/** Replies to Fastify's body errors: status, JSON-RPC reason, and a sentence if Fastify's is not good enough. */
const bodyErrors: Readonly<Record<string, readonly [number, 'unreadable' | 'transport', string?]>> = {
  FST_ERR_CTP_INVALID_JSON_BODY: [400, 'unreadable', 'The body is not JSON.'],
  FST_ERR_CTP_BODY_TOO_LARGE: [413, 'transport'],
  FST_ERR_CTP_EMPTY_JSON_BODY: [400, 'unreadable', 'The body is empty; expected a message as JSON.'],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [415, 'transport', 'Content-Type must be application/json.'],
}

function refuse(reply: FastifyReply, status: number, error: RpcError): FastifyReply {
  return reply.code(status).header('Cache-Control', 'no-store').type('application/json').send(error)
}

function headersOf({ headers }: FastifyRequest): Headers {
  const names = ['content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name']
  const forwarded = names.flatMap((name): [string, string][] =>
    headers[name] === undefined ? [] : [[name, String(headers[name])]],
  )
  // Every reply is JSON; the SDK requires both media types.
  return new Headers([...forwarded, ['accept', 'application/json, text/event-stream']])
}

/** Returns why a page of another origin is refused: it would act in the name of its reader. Undefined if allowed. */
function foreignOriginReason(
  request: FastifyRequest,
  { origins = [], outside = directAddress }: McpOptions,
): string | undefined {
  const { origin } = request.headers
  if (origin === undefined || origins.includes(origin) || origins.includes('*')) return undefined
  if (origin === outside.origin || isSameOrigin(origin, request)) return undefined
  return `The header Origin is ${quoted(origin)}; pages may ask that --cors names.`
}

/** True if the origin is this server. Any name can resolve here, so Host counts only for IP addresses and over HTTPS. */
function isSameOrigin(origin: string, { protocol, host, hostname }: FastifyRequest): boolean {
  const isAddress = hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) > 0
  return (isAddress || protocol === 'https') && origin === `${protocol}://${host}`
}
