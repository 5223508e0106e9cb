import type { FastifyReply, FastifyRequest } from 'fastify'
import type { GraphQLError } from 'graphql'
import { ServiceError } from '../../base/errors.ts'
import { unlessGone } from '../../base/unless-gone.ts'
import { type JsonObject, writeJson } from '../../base/values/json-writer.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { signalFor } from '../http/request-signal.ts'
import { tagOf } from '../reply/entity-tag.ts'
import { serverTiming } from '../reply/server-timing.ts'
import type { ServedSnapshots } from '../snapshots/served-snapshots.ts'
import { executeQuery } from './execute-query.ts'
import { graphqlErrorBody, toVisibleError } from './graphql-errors.ts'
import type { GraphqlServices } from './graphql-services.ts'
import { openContext } from './open-context.ts'
import type { QueryParameters } from './query-parameters.ts'
import type { GraphqlContext } from './request/context.ts'
import { sendText, sendUnexecuted } from './send-result.ts'

/** A newer snapshot for a second try. The signal keeps the deadline of the first. */
interface Instead {
  readonly at: Promise<Snapshot>
  readonly signal: AbortSignal
}

/** Executes one query and sends its result, or the errors if it could not be executed. */
export async function answerQuery(
  services: GraphqlServices,
  parameters: QueryParameters,
  request: FastifyRequest,
  reply: FastifyReply,
  instead?: Instead,
): Promise<FastifyReply> {
  const { repository, snapshots, requestTimeoutMs } = services
  const { asOf, isPersisted } = parameters
  const begun = performance.now()
  const signal = instead?.signal ?? signalFor(reply, requestTimeoutMs)
  const context = openContext(services, asOf, reply, signal, instead?.at)
  const result = await executeQuery(services, parameters, context, reply)
  const { data = null, errors = [], tag: listTag } = result
  const taken = context.taken()
  const newer = signal.aborted
    ? undefined
    : await unlessGone(newerFor(snapshots, errors, await taken?.catch(() => undefined), asOf), signal)
  if (newer !== undefined)
    return await answerQuery(services, parameters, request, reply, { ...newer, signal })
  // Errors of fields have a path. Without any path, nothing was executed.
  const isExecuted = data !== null || errors.some((error) => error.path !== undefined)
  // An as_of that names no snapshot is an error of the whole request, even if no field reads it.
  if (asOf !== undefined && isExecuted) await context.snapshot()
  const snapshot = await (asOf === undefined ? taken?.catch(() => undefined) : context.taken())
  if (snapshot !== undefined) reply.header('Ledgerlake-Snapshot', snapshot.id)
  if (context.answeredBy.length > 0) {
    const accessPaths = [...new Set(context.answeredBy)].join(', ')
    const { statements, files } = repository.workFor(signal)
    reply.header('Server-Timing', serverTiming(begun, accessPaths, { statements, files }))
  }
  const faults = errors.map((error) => ({ error, shown: toVisibleError(error, request) }))
  // The variables of a persisted query are the parameters of its address, so they are refused like parameters.
  const refused = isPersisted && faults.find(({ shown }) => shown.code === 'malformed_request')
  if (refused) throw refused.shown
  const body: JsonObject = {
    ...(isExecuted && { data }),
    ...(errors.length > 0 && { errors: faults.map(({ error, shown }) => graphqlErrorBody(error, shown)) }),
    ...(isExecuted && extensionsOf(context)),
  }
  if (!isExecuted) return sendUnexecuted(reply, body)
  const text = writeJson(body)
  const tag = listTag ?? (request.method === 'POST' ? undefined : tagOf(text))
  const at = snapshot ?? snapshots.current()
  const isComplete = context.unknown.every(({ values }) => values !== null)
  if (at && tag !== undefined && asOf === undefined && errors.length === 0 && isComplete)
    request.origin = { at, tag }
  return sendText(reply, 200, text, tag)
}

/** Extensions of a response. */
function extensionsOf({ capped, unknown }: GraphqlContext): JsonObject {
  const extensions = { ...(capped.length > 0 && { capped }), ...(unknown.length > 0 && { unknown }) }
  return Object.keys(extensions).length > 0 ? { extensions } : {}
}

/**
 * Returns the snapshot for a second try if a vacuum removed files of the first; undefined for other errors. The promise
 * rejects with `gone` if `as_of` names the snapshot.
 */
async function newerFor(
  snapshots: ServedSnapshots,
  errors: readonly GraphQLError[],
  at: Snapshot | undefined,
  asOf: string | undefined,
): Promise<{ readonly at: Promise<Snapshot> } | undefined> {
  const cause = errors
    .map(({ originalError }) => originalError)
    .find((error) => error instanceof ServiceError)
  if (at === undefined || cause === undefined) return undefined
  const newer = snapshots.insteadOf(at, asOf, cause)
  const isOther = await newer.then(
    () => true,
    (error) => error !== cause,
  )
  return isOther ? { at: newer } : undefined
}
