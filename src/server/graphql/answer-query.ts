import type { FastifyReply, FastifyRequest } from 'fastify'
import { type DocumentNode, GraphQLError, type GraphQLSchema, parse, validate } from 'graphql'
import { processRequest } from 'graphql-helix'
import { type Json, type JsonObject, writeJson } from '../../derive/json-writer.ts'
import type { Snapshot } from '../../lake/snapshot.ts'
import type { Repository } from '../../repository/repository.ts'
import { signalOf } from '../request-signal.ts'
import type { ServedSnapshots } from '../served-snapshots.ts'
import type { GraphqlContext } from './context.ts'
import { bodyOfGraphqlError } from './graphql-errors.ts'
import { largeQueryErrors, queryLimits, tooLarge } from './limits.ts'
import type { QueryParameters } from './query-parameters.ts'

/** What answering a query needs: the schema, the verbs, the snapshots, and how long it may take. */
export interface GraphqlServices {
  readonly schema: GraphQLSchema
  readonly repository: Repository
  readonly snapshots: ServedSnapshots
  readonly requestTimeoutMs: number
}

/** Answers one query: 400 when it cannot be executed, else 200 with what its fields gave. */
export async function answerQuery(
  { schema, repository, snapshots, requestTimeoutMs }: GraphqlServices,
  { query, variables, operationName }: QueryParameters,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  let taken: Promise<Snapshot> | undefined
  const context: GraphqlContext = {
    repository,
    signal: signalOf(request, requestTimeoutMs),
    snapshot() {
      taken ??= snapshots.of(undefined)
      return taken
    },
  }
  const result = await processRequest({
    schema,
    query,
    variables: { ...variables },
    ...(operationName !== undefined && { operationName }),
    // Plain JSON whatever the caller accepts: there is nothing to stream.
    request: { method: 'POST', headers: { accept: 'application/json' }, body: undefined, query: {} },
    parse: parseBounded,
    validate: (validated, document) => validateBounded(validated, document, variables),
    contextFactory: () => context,
  })
  if (result.type !== 'RESPONSE' || result.status >= 500) {
    throw new Error('the query could not be executed', { cause: result })
  }
  const { data = null, errors = [] } = result.payload as { data?: Json; errors?: readonly GraphQLError[] }
  // An error of a field has a path; without one nothing was executed.
  const isExecuted = data !== null || errors.some((error) => error.path !== undefined)
  const snapshot = await taken?.catch(() => undefined)
  if (snapshot !== undefined) reply.header('Ledgerlake-Snapshot', snapshot.id)
  const body: JsonObject = {
    ...(isExecuted && { data }),
    ...(errors.length > 0 && { errors: errors.map((error) => bodyOfGraphqlError(error, request)) }),
  }
  return reply
    .code(isExecuted ? 200 : 400)
    .type('application/json; charset=utf-8')
    .send(writeJson(body))
}

function parseBounded(text: string): DocumentNode {
  try {
    return parse(text, { maxTokens: queryLimits.tokens })
  } catch (error) {
    const isLong = error instanceof GraphQLError && / \d+ tokens/.test(error.message)
    throw isLong ? tooLarge('tokens', Number.POSITIVE_INFINITY) : error
  }
}

function validateBounded(
  schema: GraphQLSchema,
  document: DocumentNode,
  variables: QueryParameters['variables'],
): readonly GraphQLError[] {
  const errors = largeQueryErrors(document, variables)
  return errors.length > 0 ? errors : validate(schema, document)
}
