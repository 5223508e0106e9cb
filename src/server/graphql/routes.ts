import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify'
import type { Resource } from '../../catalog/resource.ts'
import { writeJson } from '../../derive/json-writer.ts'
import { quoted, type RawQuery, refuse } from '../../derive/parameter-text.ts'
import { ServiceError } from '../../errors.ts'
import type { Repository } from '../../repository/repository.ts'
import { toServiceError } from '../error-reply.ts'
import type { ServedSnapshots } from '../served-snapshots.ts'
import { answerQuery } from './answer-query.ts'
import { sendExplorer, wantsExplorer } from './explorer.ts'
import { bodyOf } from './graphql-errors.ts'
import { hasGraphql } from './node-types.ts'
import { persistedQuery } from './persisted-queries.ts'
import { readParameters } from './query-parameters.ts'
import { buildGraphqlSchema } from './schema.ts'

export interface GraphqlOptions {
  readonly repository: Repository
  readonly snapshots: ServedSnapshots
  readonly requestTimeoutMs: number
}

/** `/graphql` for queries and for browsers, and a GET for each query that is known by an id. */
export function addGraphqlRoutes(
  server: FastifyInstance,
  resources: readonly Resource[],
  options: GraphqlOptions,
): void {
  const services = { ...options, schema: buildGraphqlSchema(resources) }
  server.register(async (door) => {
    // Text is no query, and a page of another site may send it without being allowed to.
    door.removeContentTypeParser('text/plain')
    door.setErrorHandler((error: FastifyError | ServiceError, request, reply) => {
      const shown = unreadableBody(error, request) ?? toServiceError(error, request)
      // What cannot be read as a query is 400 here, as GraphQL has it.
      const status = shown.code === 'malformed_request' ? 400 : shown.status
      return reply
        .code(status)
        .type('application/json; charset=utf-8')
        .send(writeJson({ errors: [bodyOf(shown)] }))
    })
    door.post('/graphql', (request, reply) =>
      answerQuery(services, readParameters(request.body), request, reply),
    )
    door.get('/graphql', async (request, reply) => {
      if (wantsExplorer(request)) return sendExplorer(reply)
      refuseRepeated(request.query as RawQuery)
      return await answerQuery(services, readParameters(request.query), request, reply)
    })
    for (const resource of resources.filter(hasGraphql)) {
      const { persisted } = resource.graphql
      if (persisted === undefined) continue
      const { id, read } = persistedQuery(resource, persisted)
      door.get(`/graphql/${id}`, (request, reply) =>
        answerQuery(services, read(request.query as RawQuery), request, reply),
      )
    }
  })
}

const ACCEPTED = 'an object such as {"query": "{ status }"} is accepted'

/** What is wrong with a body that never became a query; undefined for every other failure. */
function unreadableBody(
  { code }: FastifyError | ServiceError,
  { headers, routeOptions }: FastifyRequest,
): ServiceError | undefined {
  const type = headers['content-type']
  const sentences: Readonly<Record<string, string>> = {
    FST_ERR_CTP_INVALID_MEDIA_TYPE:
      type === undefined
        ? 'There is no Content-Type; application/json is accepted.'
        : `The Content-Type is ${quoted(type)}; application/json is accepted.`,
    FST_ERR_CTP_BODY_TOO_LARGE: `The body is too large; at most ${routeOptions.bodyLimit} bytes are accepted.`,
    FST_ERR_CTP_EMPTY_JSON_BODY: `The body is empty; ${ACCEPTED}.`,
    FST_ERR_CTP_INVALID_JSON_BODY: `The body cannot be read as JSON, plain and in UTF-8, without a key __proto__; ${ACCEPTED}.`,
  }
  const sentence = sentences[code]
  return sentence === undefined ? undefined : new ServiceError('malformed_request', sentence)
}

function refuseRepeated(raw: RawQuery): void {
  refuse(
    ['query', 'variables', 'operationName']
      .filter((param) => Array.isArray(raw[param]))
      .map((param) => ({ param, message: `${param} is given more than once; one value is accepted` })),
  )
}
