import type { FastifyReply } from 'fastify'
import { type ExecutionArgs, type ExecutionResult, execute, type GraphQLError } from 'graphql'
import { processRequest } from 'graphql-helix/process-request'
import { writeInstant } from '../../base/values/instant.ts'
import { type Json, Verbatim } from '../../base/values/json-writer.ts'
import { FROM_HEADER } from '../gate/look-back.ts'
import { workOfQuery } from '../gate/work-of.ts'
import type { GraphqlServices } from './graphql-services.ts'
import type { ListQuery } from './lists/list-query.ts'
import { planLists, readLists } from './lists/plan-lists.ts'
import type { QueryContext } from './open-context.ts'
import type { QueryParameters } from './query-parameters.ts'
import type { GraphqlContext } from './request/context.ts'
import { largeQueryErrors, sizeOfQuery } from './request/limits.ts'
import { requireQuery } from './request/parse-query.ts'
import { seriesWorkOf } from './request/series-work.ts'
import { UnwritableRows } from './rows/row-writer.ts'

/** The result of a query. Without `data`, and without a path in any error, it was not executed. */
export interface QueryResult {
  readonly data?: Json
  readonly errors?: readonly GraphQLError[]
  /** ETag, if it follows from the request. */
  readonly tag?: string
}

/** Executes a query in a turn of the queue: as lists if these need no I/O, otherwise by graphql. Errors: `overloaded`. */
export async function executeQuery(
  services: GraphqlServices,
  parameters: QueryParameters,
  context: QueryContext,
  reply: FastifyReply,
): Promise<QueryResult> {
  const { documents, gate, snapshots } = services
  const { asOf, variables } = parameters
  // After a vacuum, graphql decides whether the newer snapshot has an answer.
  const lists = context.taken() === undefined ? listQueryOf(services, parameters) : undefined
  if (lists === undefined) return await processQuery(services, parameters, context, reply)
  const size = sizeOfQuery(documents.parsed(lists.text), variables)
  const work = workOfQuery(size, snapshots.known(asOf) === undefined)
  return await gate.inTurn(
    reply,
    work,
    context.signal,
    async () =>
      (await answerLists(services, lists, parameters, context, reply)) ??
      (await processQuery(services, parameters, context)),
  )
}

/** Returns undefined for another query, and for an invalid one, whose errors graphql will report. */
function listQueryOf({ documents }: GraphqlServices, { query, operationName }: QueryParameters) {
  try {
    return documents.listQuery(query, operationName)
  } catch {
    return undefined
  }
}

/** Answers a query of lists that need no I/O; otherwise returns undefined. */
async function answerLists(
  { schema, repository }: GraphqlServices,
  lists: ListQuery,
  { variables }: QueryParameters,
  context: QueryContext,
  reply: FastifyReply,
): Promise<QueryResult | undefined> {
  const { apiKey: key, method } = reply.request
  try {
    const plan = planLists(schema, lists, { variables, key, at: await context.snapshot() })
    const text = plan && readLists(plan, repository)
    if (plan === undefined || text === undefined) return undefined
    context.answeredBy.push('index')
    if (plan.from !== undefined) reply.header(FROM_HEADER, writeInstant(plan.from))
    return { data: new Verbatim(text, 'small'), ...(method !== 'POST' && { tag: plan.tag() }) }
  } catch {
    // graphql will report the error.
    return undefined
  }
}

/** Has graphql execute a query; with `reply`, in a turn of the queue. */
async function processQuery(
  services: GraphqlServices,
  { query, variables, operationName, asOf }: QueryParameters,
  context: QueryContext,
  reply?: FastifyReply,
): Promise<QueryResult> {
  const { schema, documents, repository, snapshots, gate } = services
  let failure: { readonly error: unknown } | undefined

  async function executeInTurn(args: ExecutionArgs): Promise<ExecutionResult> {
    if (reply === undefined) return await executeRows(services, args, context)
    const readsLog = snapshots.known(asOf) === undefined
    const at = snapshots.known(asOf) ?? snapshots.known(undefined)
    const seriesMs = at && seriesWorkOf(schema, args.document, variables, repository, at)
    const work = workOfQuery({ ...sizeOfQuery(args.document, variables), seriesMs }, readsLog)
    return await gate.inTurn(reply, work, context.signal, () => executeRows(services, args, context))
  }

  const result = await processRequest({
    schema,
    query,
    variables: { ...variables },
    ...(operationName !== undefined && { operationName }),
    // Keeps helix from streaming; the media type is chosen when the result is sent.
    request: { method: 'POST', headers: { accept: 'application/json' }, body: undefined, query: {} },
    parse: (text) => requireQuery(documents.parsed(text), operationName),
    validate: (_schema, document) => {
      const errors = largeQueryErrors(document, variables)
      return errors.length > 0 ? errors : documents.validated(document)
    },
    contextFactory: () => context,
    async execute(args) {
      try {
        return await executeInTurn(args)
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
  return result.payload as QueryResult
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
