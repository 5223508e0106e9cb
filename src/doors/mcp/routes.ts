import { isIP } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Repository } from '../../answers/repository.ts'
import { sentenceOf } from '../../base/errors.ts'
import { quoted } from '../../base/parameter-text.ts'
import { sqlFeatures } from '../../catalog/feature.ts'
import type { Resource } from '../../catalog/resource.ts'
import { whyNotWhole } from '../../operate/keys/api-key.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { type Gate, requireFeatures } from '../gate/gate.ts'
import { reachOf, withinLookBack } from '../gate/look-back.ts'
import { directAddress, type PublicAddress } from '../http/public-address.ts'
import { anySignal, signalFor } from '../http/request-signal.ts'
import { accepts } from '../reply/accept.ts'
import { toServiceError } from '../reply/error-reply.ts'
import type { ServedSnapshots } from '../snapshots/served-snapshots.ts'
import { doorOf } from './door.ts'
import { refuseBatch, WITH_BATCHES } from './rpc/batch.ts'
import { type RpcError, rpcError } from './rpc/rpc-error.ts'
import type { Caller, OpenSql, Tool } from './tool.ts'
import { allTools } from './tools.ts'

export interface McpOptions {
  readonly repository: Repository
  readonly snapshots: ServedSnapshots
  readonly requestTimeoutMs: number
  readonly gate: Gate
  readonly dialect: Dialect
  /** The address of the server; by default the one that each request names. */
  readonly outside?: PublicAddress
  /** What stands before the paths of REST. */
  readonly restPrefix: string
  /** Origins whose pages may ask. */
  readonly origins?: readonly string[]
  /** What answers SQL; without it nobody gets any. */
  readonly openSql?: OpenSql
  /** Whether SQL is answered while no keys are needed. */
  readonly isSqlOpen?: boolean
}

/** `/mcp`: the tools over streamable HTTP, a POST with one message and its answer as JSON, without sessions. */
export function addMcpRoute(
  server: FastifyInstance,
  resources: readonly Resource[],
  options: McpOptions,
): void {
  const { repository, snapshots, gate, dialect, restPrefix, requestTimeoutMs } = options
  let tools: readonly Tool[] | undefined

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const foreign = whyForeign(request, options)
    if (foreign !== undefined) return refuse(reply, 403, rpcError('transport', foreign))
    const { body, headers } = request
    if (!accepts(headers.accept, 'application/json'))
      return refuse(reply, 406, rpcError('transport', 'Accept must include application/json.'))
    const refusal = refuseBatch(body, headers['mcp-protocol-version'] ?? WITH_BATCHES)
    if (refusal !== undefined) return refuse(reply, 400, refusal)
    gate.enter(reply)
    // A batch counts as its messages.
    const reserved = [
      request.quotaReservation,
      ...(Array.isArray(body) ? body.slice(1) : []).map(() => gate.countAnother(reply)),
    ]
    const signal = signalFor(reply, requestTimeoutMs)
    const sql = sqlFor(request, options)
    // Made for the first message: most servers get none.
    tools ??= allTools(resources, dialect, restPrefix)
    // A quota is of answers, which are counted as they come.
    request.quotaReservation = null
    const door = doorOf({
      ...{ tools, repository, snapshots, sql, told: request },
      callerOf: (cancelled) => ({
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
    // Loaded when it is asked for: other commands and requests do without it.
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
      const [status, reason, sentence] = unreadable[error.code] ?? []
      if (status === undefined || reason === undefined) throw error
      return refuse(reply, status, rpcError(reason, sentence ?? toServiceError(error, request).message))
    })
    door.post('/mcp', gate.route(), answer)
  })
}

/** Refusals of Fastify before there is a message: the status, and the error of JSON-RPC with a sentence, or with that of all doors. */
const unreadable: Readonly<Record<string, readonly [number, 'unreadable' | 'transport', string?]>> = {
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
  const kept = names.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]]))
  // Every reply is JSON, and the SDK asks for both names as they stand.
  return new Headers([...kept, ['accept', 'application/json, text/event-stream']] as [string, string][])
}

/** What answers SQL to a caller, or why it gets none. */
function sqlFor({ apiKey }: FastifyRequest, { openSql, isSqlOpen = false }: McpOptions): Caller['sql'] {
  if (openSql === undefined) return 'This server answers no SQL.'
  if (apiKey === null) return isSqlOpen ? openSql : CLOSED
  try {
    requireFeatures(apiKey, sqlFeatures)
  } catch (error) {
    return sentenceOf(error)
  }
  return whyNotWhole('Sql', apiKey) ?? openSql
}

const CLOSED =
  'This server needs no keys and answers no SQL; it does with --open-sql, and to keys with the feature Sql. ledgerlake mcp does too.'

/** Why a page may not use the tools: one of another origin would in the name of its reader. Undefined for one that may. */
function whyForeign(
  request: FastifyRequest,
  { origins = [], outside = directAddress }: McpOptions,
): string | undefined {
  const { origin } = request.headers
  if (origin === undefined || origins.includes(origin) || origins.includes('*')) return undefined
  if (origin === outside.origin || isOfServer(origin, request)) return undefined
  return `The header Origin is ${quoted(origin)}; pages may ask that --cors names.`
}

/** Whether a page comes from this server. Any name may be made to lead here, so Host proves it for addresses, and by HTTPS its certificate. */
function isOfServer(origin: string, { protocol, host, hostname }: FastifyRequest): boolean {
  const isAddress = hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) > 0
  return (isAddress || protocol === 'https') && origin === `${protocol}://${host}`
}
