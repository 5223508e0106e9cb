import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  type GraphQLError,
  type GraphQLSchema,
} from 'graphql'
import { processRequest } from 'graphql-helix/process-request'
import type { Repository } from '../../answers/repository.ts'
import { ServiceError } from '../../base/errors.ts'
import { unlessGone } from '../../base/unless-gone.ts'
import { writeInstant } from '../../base/values/instant.ts'
import { type Json, type JsonObject, Verbatim, writeJson } from '../../base/values/json-writer.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { type Gate, requireFeatures } from '../gate/gate.ts'
import { FROM_HEADER, reachOf, withinLookBack } from '../gate/look-back.ts'
import { searchableFor } from '../gate/searchable.ts'
import { workOfQuery } from '../gate/work-of.ts'
import { signalFor } from '../http/request-signal.ts'
import { tagOf } from '../reply/entity-tag.ts'
import { serverTiming } from '../reply/server-timing.ts'
import type { ServedSnapshots } from '../snapshots/served-snapshots.ts'
import { graphqlErrorBody, toVisibleError } from './graphql-errors.ts'
import type { Documents } from './lists/documents.ts'
import { planLists, readLists } from './lists/plan-lists.ts'
import type { QueryParameters } from './query-parameters.ts'
import type { GraphqlContext } from './request/context.ts'
import { largeQueryErrors, sizeOfQuery } from './request/limits.ts'
import { requireQuery } from './request/parse-query.ts'
import { seriesWorkOf } from './request/series-work.ts'
import { UnwritableRows } from './rows/row-writer.ts'
import { sendText, sendUnexecuted } from './send-result.ts'

export interface GraphqlServices {
  readonly schema: GraphQLSchema
  /** The same schema with `nodes` as text. */
  readonly rowsSchema: GraphQLSchema
  readonly documents: Documents
  readonly resources: readonly Resource[]
  /** Prefix of REST paths. */
  readonly restPrefix: string
  readonly repository: Repository
  readonly snapshots: ServedSnapshots
  readonly requestTimeoutMs: number
  readonly gate: Gate
}

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
  const { schema, repository, snapshots, requestTimeoutMs, gate } = services
  const { query, variables, operationName, asOf, isPersisted } = parameters
  const begun = performance.now()
  let taken = instead?.at
  const signal = instead?.signal ?? signalFor(reply, requestTimeoutMs)
  const context: GraphqlContext = {
    repository,
    signal,
    capped: [],
    unknown: [],
    reach: reachOf(request),
    answeredBy: [],
    seriesValues: 0,
    async filtersAt(resource, asked, at) {
      const { dayRanges } = repository
      const filters = asked.days && (await unlessGone(dayRanges.read(resource, asked, at, signal), signal))
      return withinLookBack(resource, filters ?? asked.filters, request, reply)
    },
    searched: () => ({ ...searchableFor(services.resources, request, reply), prefix: services.restPrefix }),
    requireFeatures(needs) {
      if (request.apiKey !== null) requireFeatures(request.apiKey, needs)
    },
    snapshot() {
      taken ??= unlessGone(snapshots.of(asOf, signal), signal)
      return taken
    },
  }
  let listTag: string | undefined

  /** Answers a query of lists that need no I/O; otherwise returns undefined. */
  async function answerLists(): Promise<ExecutionResult<Verbatim> | undefined> {
    try {
      const lists = services.documents.listQuery(query, operationName)
      if (lists === undefined || instead !== undefined) return undefined
      const { apiKey: key, method } = request
      const plan = planLists(schema, lists, { variables, key, at: await context.snapshot() })
      const text = plan && readLists(plan, repository)
      if (plan === undefined || text === undefined) return undefined
      context.answeredBy.push('index')
      if (plan.from !== undefined) reply.header(FROM_HEADER, writeInstant(plan.from))
      if (method !== 'POST') listTag = plan.tag()
      return { data: new Verbatim(text, 'small') }
    } catch {
      // graphql will report the error.
      return undefined
    }
  }

  let failure: { readonly error: unknown } | undefined
  const result = await processRequest({
    schema,
    query,
    variables: { ...variables },
    ...(operationName !== undefined && { operationName }),
    // Keeps helix from streaming; the media type is chosen when the result is sent.
    request: { method: 'POST', headers: { accept: 'application/json' }, body: undefined, query: {} },
    parse: (text) => requireQuery(services.documents.parsed(text), operationName),
    validate: (_schema, document) => {
      const errors = largeQueryErrors(document, variables)
      return errors.length > 0 ? errors : services.documents.validated(document)
    },
    contextFactory: () => context,
    async execute(args) {
      try {
        const readsLog = snapshots.known(asOf) === undefined
        const at = snapshots.known(asOf) ?? snapshots.known(undefined)
        const seriesMs = at && seriesWorkOf(schema, args.document, variables, repository, at)
        const work = workOfQuery({ ...sizeOfQuery(args.document, variables), seriesMs }, readsLog)
        return await gate.inTurn(
          reply,
          work,
          signal,
          async () => (await answerLists()) ?? (await executeRows(services, args, context)),
        )
      } catch (error) {
        // Helix would replace the error with one of its own.
        failure = { error }
        throw error
      }
    },
  })
  if (failure !== undefined) throw failure.error
  if (result.type !== 'RESPONSE' || result.status >= 500) {
    throw new Error('the query could not be executed', { cause: result })
  }
  const { data = null, errors = [] } = result.payload as { data?: Json; errors?: readonly GraphQLError[] }
  const newer = signal.aborted
    ? undefined
    : await unlessGone(newerFor(snapshots, errors, await taken?.catch(() => undefined), asOf), signal)
  if (newer !== undefined)
    return await answerQuery(services, parameters, request, reply, { ...newer, signal })
  // Errors of fields have a path. Without any path, nothing was executed.
  const isExecuted = data !== null || errors.some((error) => error.path !== undefined)
  // An as_of that names no snapshot is an error of the whole request, even if no field reads it.
  if (asOf !== undefined && isExecuted) await context.snapshot()
  const snapshot = await (asOf === undefined ? taken?.catch(() => undefined) : taken)
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

/** Executes a query; rows of plain values are written without a resolver for each. */
async function executeRows(
  { rowsSchema, documents }: GraphqlServices,
  args: ExecutionArgs,
  context: GraphqlContext,
): Promise<ExecutionResult> {
  if (!documents.isOfRows(args.document)) return await execute(args)
  const result = await execute({ ...args, schema: rowsSchema })
  if (!result.errors?.some(({ originalError }) => originalError instanceof UnwritableRows)) return result
  for (const list of [context.capped, context.unknown, context.answeredBy]) list.length = 0
  context.seriesValues = 0
  return await execute(args)
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
