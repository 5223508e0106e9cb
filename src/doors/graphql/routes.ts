import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Repository } from '../../answers/repository.ts'
import { ServiceError } from '../../base/errors.ts'
import type { RawQuery } from '../../base/parameter-text.ts'
import { writeJson } from '../../base/values/json-writer.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { BuiltFile } from '../explorer/built-files.ts'
import { explorerPage, explorerPolicy } from '../explorer/page.ts'
import type { Gate } from '../gate/gate.ts'
import { QUEUE_FULL } from '../gate/work-queue.ts'
import { queryOf } from '../http/request-parameters.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'
import { setRetryAfter, toServiceError } from '../reply/error-reply.ts'
import { HTML_TYPE, send } from '../reply/representation.ts'
import { varyBy } from '../reply/vary.ts'
import type { ServedSnapshots } from '../snapshots/served-snapshots.ts'
import { answerQuery } from './answer-query.ts'
import { answerDirectly } from './direct-query.ts'
import { bodyError, errorBody } from './graphql-errors.ts'
import { openDocuments } from './lists/documents.ts'
import { persistedQuery } from './persisted-queries.ts'
import {
  hashRefused,
  isHashAlone,
  type QueryParameters,
  queryParameters,
  readGraphqlParameters,
  readParameters,
} from './query-parameters.ts'
import { withGraphql } from './schema/graphql-face.ts'
import { graphqlSchemaOf } from './schema/schema.ts'
import { sendResult, sendUnexecuted } from './send-result.ts'

export interface GraphqlOptions {
  readonly repository: Repository
  readonly snapshots: ServedSnapshots
  readonly requestTimeoutMs: number
  readonly gate: Gate
  readonly pipeline: Pipeline
  /** Path segment of the network. */
  readonly network: string
  /** Prefix of the server's paths. */
  readonly basePath: string
  /** Script of the page for browsers; without it the page only links the documents. */
  readonly page: BuiltFile | undefined
}

/** True for a page load by a browser. */
function wantsPage({ headers, method }: FastifyRequest): boolean {
  return method === 'GET' && headers.accept?.includes('text/html') === true
}

/** Adds `/graphql` for queries and browsers, and a GET route for each persisted query. */
export function addGraphqlRoutes(
  server: FastifyInstance,
  resources: readonly Resource[],
  options: GraphqlOptions,
): void {
  const { gate, pipeline, basePath } = options
  const restPrefix = `${basePath}/v1/${options.network}`
  const schema = graphqlSchemaOf(resources)
  const rowsSchema = graphqlSchemaOf(resources, 'text')
  const services = { ...options, resources, restPrefix, schema, rowsSchema, documents: openDocuments(schema) }
  const refusal = writeJson({ errors: [errorBody(new ServiceError('overloaded', QUEUE_FULL))] })
  const addDirectly = (path: string, read: (raw: RawQuery) => QueryParameters) =>
    pipeline.add({
      ...{ path, isNegotiated: true, needs: [] },
      answer: (request) => answerDirectly(services, read, request),
    })
  const page = { type: HTML_TYPE, body: explorerPage(options.page, options) }
  server.register(async (door) => {
    // Browsers send text/plain from other sites without a preflight.
    door.removeContentTypeParser('text/plain')
    door.setErrorHandler((error: FastifyError | ServiceError, request, reply) => {
      const shown = bodyError(error, request) ?? toServiceError(error, request)
      // GraphQL over HTTP requires 400 where REST has 422.
      setRetryAfter(shown, reply)
      const status = shown.code === 'malformed_request' ? 400 : shown.status
      return sendResult(reply, status, { errors: [errorBody(shown)] })
    })
    const answer = (from: unknown, asOf: string | undefined, request: FastifyRequest, reply: FastifyReply) =>
      isHashAlone(from)
        ? sendUnexecuted(reply, hashRefused)
        : answerQuery(services, { ...readParameters(from), asOf }, request, reply)
    door.post('/graphql', gate.route([], { refusal }), (request, reply) => {
      gate.enter(reply)
      const { asOf } = readGraphqlParameters(queryOf(request), [])
      return answer(request.body, asOf, request, reply)
    })
    addDirectly('/graphql', (raw) => {
      const { asOf, given } = readGraphqlParameters(raw, queryParameters)
      return { ...readParameters(given), asOf }
    })
    // The page needs no key; its queries do.
    door.get('/graphql', gate.route([], { isFree: wantsPage }), async (request, reply) => {
      if (wantsPage(request))
        return send(varyBy(reply, 'Accept').header('Content-Security-Policy', explorerPolicy), page)
      gate.enter(reply)
      const { asOf, given } = readGraphqlParameters(queryOf(request), queryParameters)
      return await answer(given, asOf, request, reply)
    })
    for (const resource of resources.map(withGraphql)) {
      if (resource === undefined) continue
      const { persisted } = resource.graphql
      if (persisted === undefined) continue
      const { id, read } = persistedQuery(resource, persisted)
      addDirectly(`/graphql/${id}`, read)
      door.get(`/graphql/${id}`, gate.route([], { refusal }), (request, reply) => {
        gate.enter(reply)
        return answerQuery(services, read(queryOf(request)), request, reply)
      })
    }
  })
}
