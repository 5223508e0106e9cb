import type { FastifyReply, FastifyRequest } from 'fastify'
import { refuse } from '../../base/parameter-text.ts'
import { readQueryString } from '../../base/query-string.ts'
import { writeInstant } from '../../base/values/instant.ts'
import { type ExportFormat, exportFormats } from '../../catalog/export-formats.ts'
import { missingFormat } from '../contract/export-parameters.ts'
import type { RestOperation } from '../contract/operations.ts'
import { type CheckedQuery, querySchema } from '../contract/query-schema.ts'
import { FROM_HEADER, reachOf } from '../gate/look-back.ts'
import { pathParameter, queryOf } from '../http/request-parameters.ts'
import type { DirectRequest } from '../pipeline/direct-request.ts'
import type { ReadyReply, ReplyHead } from '../pipeline/direct-route.ts'
import { type Offered, preferred } from '../reply/accept.ts'
import { matchingTag } from '../reply/entity-tag.ts'
import { JSON_TYPE, type Representation, type WholeBody } from '../reply/representation.ts'
import { varyBy } from '../reply/vary.ts'
import type { RestContext } from './context.ts'
import { Plan } from './plan.ts'
import { openPlanner } from './planner.ts'
import { withKeysOfBody } from './query/hotspot-keys.ts'
import { openResponder } from './responder.ts'

/** Representations of a list; pages are the default. */
const listFormats: readonly [Offered, ...Offered[]] = [{ type: JSON_TYPE }, ...exportFormats]

/**
 * Creates the handlers of an operation: one for requests before routing and two for Fastify. They check the query, take the snapshot
 * once, and respond synchronously if no I/O is needed. Only other requests take a slot of the concurrency limit.
 */
export function routeHandler(context: RestContext, operation: RestOperation) {
  const { resource, kind } = operation
  const { dialect, pipeline } = context
  const check = querySchema(resource, kind, dialect.queries)
  const planner = openPlanner(context, operation)
  const responder = openResponder(context, operation, planner)
  const isList = kind === 'list' && dialect.queries.givesFiles

  /** Returns the file format that the client prefers to pages. */
  function acceptedFile(reply: FastifyReply): ExportFormat | undefined {
    const { type } = isList ? preferred(reply, listFormats) : { type: JSON_TYPE }
    return exportFormats.find((format) => format.type === type)
  }

  /** Responds before routing. Leaves its plan in the request if I/O is needed. */
  function answerDirectly(direct: DirectRequest): ReadyReply | undefined {
    const query = check(readQueryString(direct.query))
    const plan = query.format === undefined ? planner.planAtOnce(query, direct.id, direct.key) : undefined
    if (plan === undefined) return undefined
    direct.plan = plan
    const { request, head } = plan
    const held = direct.message.headers['if-none-match']
    if (matchingTag(held, head.tag) !== undefined) return readyOf(plan, head, undefined)
    const representation = planner.peek(plan)
    const whole = representation && planner.heads.for(request, head, representation)
    if (whole === undefined) return undefined
    // An empty body has a tag of its own, which the client may hold.
    const isHeld = whole !== head && matchingTag(held, whole.tag) !== undefined
    return readyOf(plan, whole, isHeld ? undefined : representation)
  }

  function respondTo(
    query: CheckedQuery,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> | undefined {
    const exchange = { request, reply }
    const id = pathParameter(request, 'id')
    const plan = planner.planAtOnce(query, id, request.apiKey)
    const response = plan
      ? responder.respond(plan, exchange)
      : responder.respondLater({ query, id, reach: reachOf(request) }, exchange)
    return response?.then(() => reply)
  }

  const checkedQuery = (request: FastifyRequest, reply: FastifyReply) =>
    check(queryOf(request), acceptedFile(reply))

  function handler(request: FastifyRequest, reply: FastifyReply) {
    const plan = pipeline.passed(request.raw)?.plan
    if (!(plan instanceof Plan))
      return respondTo(withKeysOfBody(checkedQuery(request, reply), request), request, reply)
    // With a plan of the pipeline, the query is already checked.
    if (isList) varyBy(reply, 'Accept')
    return responder.respond(plan, { request, reply })?.then(() => reply)
  }

  /** Handles the path that serves only files. */
  function fileHandler(request: FastifyRequest, reply: FastifyReply) {
    const query = checkedQuery(request, reply)
    if (query.format === undefined) refuse([missingFormat(kind)])
    return respondTo(query, request, reply)
  }

  return { handler, fileHandler, direct: { isNegotiated: isList, answer: answerDirectly } }
}

function readyOf(
  { request }: Plan,
  { tag, headers, origin }: ReplyHead,
  representation: Representation<WholeBody> | undefined,
): ReadyReply {
  const from = request.query.fromServed
  const all = from === undefined ? headers : [...headers, FROM_HEADER, writeInstant(from)]
  return { tag, headers: all, origin, representation }
}
