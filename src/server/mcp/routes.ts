import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sqlFeatures } from '../../catalog/feature.ts'
import type { Resource } from '../../catalog/resource.ts'
import { quoted } from '../../derive/parameter-text.ts'
import { fail, sentenceOf } from '../../errors.ts'
import { whyNotWhole } from '../../keys/api-key.ts'
import type { Repository } from '../../repository/repository.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { type Gate, requireFeatures } from '../gate/gate.ts'
import { reachOf, withinLookBack } from '../gate/look-back.ts'
import { eitherOf, signalOf } from '../request-signal.ts'
import type { ServedSnapshots } from '../served-snapshots.ts'
import { doorOf } from './door.ts'
import type { Caller, OpenSql } from './tool.ts'
import { allTools } from './tools.ts'

export interface McpOptions {
  readonly repository: Repository
  readonly snapshots: ServedSnapshots
  readonly requestTimeoutMs: number
  readonly gate: Gate
  readonly dialect: Dialect
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
  const tools = allTools(resources, dialect, restPrefix)

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    refuseOrigin(request, options.origins ?? [])
    if (Array.isArray(request.body))
      fail('malformed_request', 'Batches are not supported. Send each message in a request of its own.')
    gate.enter(reply)
    const signal = signalOf(reply, requestTimeoutMs)
    const sql = sqlFor(request, options)
    let isAnswered = false
    const door = doorOf({
      ...{ tools, repository, snapshots, sql, told: request },
      callerOf: (cancelled) => ({
        ...{ sql, signal: eitherOf(signal, cancelled), features: request.apiKey?.features },
        allowed: (resource, filters) => withinLookBack(resource, filters, request, reply),
        reach: reachOf(request),
        requireFeatures(needs) {
          if (request.apiKey !== null) requireFeatures(request.apiKey, needs)
        },
        inTurn: (work, job) => gate.inTurn(reply, work, signal, job),
      }),
      retryAfter: () => (reply.hasHeader('Retry-After') ? Number(reply.getHeader('Retry-After')) : undefined),
    })
    // Loaded when it is asked for: other commands and requests do without it.
    const { answerPost } = await import('./protocol.ts')
    const { status, type, body } = await answerPost(
      {
        ...door,
        async call(...given) {
          const result = await door.call(...given)
          isAnswered = !result.isError
          return result
        },
      },
      { url: `http://localhost${request.url}`, headers: headersOf(request), body: request.body },
    )
    // A quota is of answers.
    if (!isAnswered) request.setAside = null
    reply.code(status).header('Cache-Control', 'no-store')
    if (type !== null) reply.type(type)
    return reply.send(body)
  }

  server.register(async (door) => {
    door.removeContentTypeParser('text/plain')
    door.post('/mcp', gate.route(), answer)
  })
}

function headersOf({ headers }: FastifyRequest): Headers {
  const known = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-session-id']
  return new Headers(
    known.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]])),
  )
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

/** A page of another origin might ask in the name of whoever reads it. Errors: `malformed_request`. */
function refuseOrigin({ headers: { origin } }: FastifyRequest, allowed: readonly string[]): void {
  if (origin === undefined || allowed.includes(origin) || allowed.includes('*')) return
  fail('malformed_request', `The header Origin is ${quoted(origin)}; pages may ask that --cors names.`)
}
