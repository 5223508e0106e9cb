import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  parse,
} from 'graphql'
import { processRequest } from 'graphql-helix/process-request'
import type { Repository } from '../../answers/repository.ts'
import { ServiceError } from '../../base/errors.ts'
import { quoted } from '../../base/parameter-text.ts'
import { unlessGone } from '../../base/unless-gone.ts'
import type { Json, JsonObject } from '../../base/values/json-writer.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { type Gate, requireFeatures } from '../gate/gate.ts'
import { reachOf, withinLookBack } from '../gate/look-back.ts'
import { searchableFor } from '../gate/searchable.ts'
import { workOfQuery } from '../gate/work-of.ts'
import { signalFor } from '../http/request-signal.ts'
import { serverTiming } from '../reply/server-timing.ts'
import type { ServedSnapshots } from '../snapshots/served-snapshots.ts'
import { graphqlErrorBody, toVisibleError } from './graphql-errors.ts'
import type { QueryParameters } from './query-parameters.ts'
import type { GraphqlContext } from './request/context.ts'
import type { Documents } from './request/documents.ts'
import { largeQueryErrors, queryLimits, sizeOfQuery, tooLarge } from './request/limits.ts'
import { seriesWorkOf } from './request/series-work.ts'
import { UnwritableRows } from './rows/write-rows.ts'
import { sendResult, sendUnexecuted } from './send-result.ts'

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
  let failure: { readonly error: unknown } | undefined
  const result = await processRequest({
    schema,
    query,
    variables: { ...variables },
    ...(operationName !== undefined && { operationName }),
    // Keeps helix from streaming; the media type is chosen when the result is sent.
    request: { method: 'POST', headers: { accept: 'application/json' }, body: undefined, query: {} },
    parse: (text) => chosen(services.documents.parsed(text, parseBounded), operationName),
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
        return await gate.inTurn(reply, work, signal, async () => await executeRows(services, args, context))
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
  return isExecuted ? sendResult(reply, 200, body) : sendUnexecuted(reply, body)
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

function parseBounded(text: string): DocumentNode {
  if (text.length > queryLimits.characters) throw tooLarge('characters', text.length)
  try {
    return parse(text, { maxTokens: queryLimits.tokens })
  } catch (error) {
    if (error instanceof RangeError) throw new GraphQLError(TOO_NESTED)
    const isLong = error instanceof GraphQLError && / \d+ tokens/.test(error.message)
    throw isLong ? tooLarge('tokens', Number.POSITIVE_INFINITY) : error
  }
}

const TOO_NESTED = `The query is nested too deep to be read; the limit is ${queryLimits.depth} fields.`

/** Returns the document if exactly one operation is chosen and it is a query. Errors: GraphQLError. */
function chosen(document: DocumentNode, name: string | undefined): DocumentNode {
  const operations = document.definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION)
  const names = operations.slice(0, 10).map((one) => one.name?.value.slice(0, 80) ?? 'one without a name')
  const meant = operations.filter((one) => name === undefined || one.name?.value === name)
  if (operations.length > 0 && meant.length === 0) {
    throw new GraphQLError(`operationName is ${quoted(name ?? '')}; the query has ${names.join(', ')}.`)
  }
  if (name === undefined && meant.length > 1) {
    const several = `The query has ${operations.length} operations: ${names.join(', ')}`
    throw new GraphQLError(`${several}; choose one with operationName.`)
  }
  const kind = meant[0]?.operation ?? 'query'
  if (kind === 'query') return document
  throw new GraphQLError(`There is no ${kind} here; send a query such as { status }.`)
}
