import type { ErrorCode } from '../../../base/errors.ts'
import { errorTable, ServiceError } from '../../../base/errors.ts'
import type { Json } from '../../../base/values/json-writer.ts'
import type { Feature } from '../../../catalog/feature.ts'
import type { GraphqlFace, Resource } from '../../../catalog/resource.ts'
import { limitHeaders } from '../../contract/limit-headers.ts'
import { missingFeatures } from '../../contract/missing-features.ts'
import { MOST_NODES } from '../../contract/page-parameters.ts'
import { statusRange, statusSchema } from '../../contract/status-query.ts'
import { exactly, reference, type Schema } from '../schemas/schema.ts'
import type {
  Content,
  Described,
  DocumentOptions,
  DocumentStyle,
  OpenApiDocument,
  OperationObject,
  Parameter,
  Response,
} from './document-types.ts'
import { caughtError, errorResponses, headerReferences, responseOf } from './error-responses.ts'
import { anyText, snapshotName, someText, timeText } from './parameter-texts.ts'
import { commonParameters } from './parameters.ts'
import { needsSentence, securityOf } from './rest-operations.ts'

/** An optional parameter; blank counts as absent. */
const optional = (name: string, described: Described): Parameter => ({
  name,
  in: 'query',
  allowEmptyValue: true,
  ...described,
})

const text = (name: string, description: string, schema = anyText) => optional(name, { description, schema })

const MOST_INT = 2 ** 31 - 1
const count = (name: string, description: string) =>
  optional(name, { description, schema: { type: 'integer', format: 'int32', minimum: 0, maximum: MOST_INT } })

/** Required in the document for `integers=string`. */
const integersOf = (described: Described): Parameter =>
  described.required === true
    ? { name: 'integers', in: 'query', ...described }
    : optional('integers', described)

const asOf = optional('as_of', snapshotName)
const requestId = { 'X-Request-Id': reference('headers', 'X-Request-Id') }

const content = (schema: Schema, value?: Json): Content => ({
  schema,
  ...(value !== undefined && { examples: { reply: { summary: 'A reply.', value } } }),
})

const EXTENSIONS = 'Ignored; the hash of a persisted query alone is answered with PersistedQueryNotSupported.'

export const graphqlSchemas: Readonly<Record<string, Schema>> = {
  GraphqlRequest: {
    type: 'object',
    description: 'A query, with its variables.',
    properties: {
      // An invalid query gets status 200 with an error in the reply.
      query: { type: 'string', minLength: 1, pattern: '[^\\s]', description: 'The query.' },
      variables: { type: ['object', 'null'], description: 'Values of its variables.' },
      operationName: {
        type: ['string', 'null'],
        description: 'Name of the operation to run, if the query has several.',
      },
      extensions: { type: ['object', 'null'], description: EXTENSIONS },
    },
    required: ['query'],
  },
  GraphqlReply: {
    type: 'object',
    description: 'Selected data, and errors.',
    properties: {
      data: { type: ['object', 'null'], description: 'Selected data; 64-bit integers are text.' },
      errors: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          properties: {
            message: { type: 'string' },
            extensions: { type: 'object', description: 'The code, and faulty parameters.' },
            locations: { type: 'array', items: { type: 'object' } },
            path: { type: 'array', items: { oneOf: [{ type: 'string' }, { type: 'integer' }] } },
          },
          required: ['message', 'extensions'],
          additionalProperties: false,
        },
      },
      extensions: {
        type: 'object',
        description:
          'Under `capped`: arguments that asked for more than one reply holds; under `unknown`: values that no row has.',
      },
    },
    additionalProperties: false,
  },
}

const guarded: readonly ErrorCode[] = [
  'authentication_required',
  'usage_limit_exceeded',
  'rate_limit_exceeded',
  'gone',
  'internal',
  'not_ready',
  'deadline_exceeded',
]

function graphql(
  operationId: string,
  summary: string,
  description: string,
  parameters: readonly Parameter[],
  asksKey: boolean,
  codes = guarded,
): OperationObject {
  const schema = reference('schemas', 'GraphqlReply')
  const reply = (description: string): Response => ({
    description,
    headers: requestId,
    content: {
      'application/json': content(schema),
      'application/graphql-response+json': content(schema),
    },
  })
  const failures = codes.map((code) => [
    errorTable[code].status,
    reply(`\`${code}\`: ${errorTable[code].meaning}`),
  ])
  return {
    operationId,
    tags: ['GraphQL'],
    summary,
    description,
    security: securityOf([], asksKey),
    parameters,
    responses: {
      200: reply(
        'Data of the fields, and their errors; in application/json also the errors of an invalid query.',
      ),
      400: reply(
        '`malformed_request`: The request cannot be read, or, in application/graphql-response+json, the query is not valid.',
      ),
      ...Object.fromEntries(failures),
    },
  }
}

const jsonText: Schema = { ...anyText, contentMediaType: 'application/json' }

const askedByGet: readonly Parameter[] = [
  {
    name: 'query',
    in: 'query',
    description: 'The query.',
    required: true,
    schema: someText,
    example: '{ status }',
  },
  text('variables', 'Values of its variables, a JSON object.', jsonText),
  text('operationName', 'Name of the operation to run, if the query has several.'),
  text('extensions', `A JSON object. ${EXTENSIONS}`, jsonText),
  asOf,
]

function persisted(
  { columns, filters }: Resource,
  { query: name, arguments: named, persisted: id }: GraphqlFace,
  asksKey: boolean,
): OperationObject {
  const filterParameters = Object.entries(named).map(([argument, { filter }]) => {
    const isTime = columns[filters?.[filter]?.column ?? '']?.kind === 'instant'
    return text(argument, `The filter ${filter}.`, isTime ? timeText(false) : anyText)
  })
  const parameters = [
    ...filterParameters,
    {
      ...count('first', `Nodes after the cursor, ${MOST_NODES} at most; ${MOST_NODES} unless given.`),
      example: 1,
    },
    text('after', 'endCursor of the page before.'),
    count('last', `Nodes before the cursor, ${MOST_NODES} at most.`),
    text('before', 'startCursor of the page after.'),
    asOf,
  ]
  const description = `Every flat field of ${name}, a page by cursor.`
  return graphql(`get-graphql-${id}`, `${name}, without writing a query`, description, parameters, asksKey)
}

function health(
  operationId: string,
  summary: string,
  description: string,
  responses: OperationObject['responses'],
): OperationObject {
  return { operationId, tags: ['Service'], summary, description, security: [], responses }
}

function lakeStatus(style: DocumentStyle, asksKey: boolean): OperationObject {
  const { integers } = commonParameters(style.queries, style.forms.integers)
  const range = Object.entries(statusRange).map(([name, { doc }]) =>
    text(name, doc, timeText(style.queries.utcInWords)),
  )
  return {
    tags: ['Service'],
    operationId: 'get-status',
    summary: 'Tables of the lake, and how complete they are',
    description:
      'For each table with days: expected, present, missing, incomplete and late days, and gaps of the manifests; on L1 the days without a row.',
    security: securityOf([], asksKey),
    parameters: [...range, ...(integers === undefined ? [] : [integersOf(integers)]), asOf],
    responses: {
      200: {
        description: 'The status.',
        headers: headerReferences(['Ledgerlake-Snapshot', 'X-Request-Id', ...limitHeaders]),
        content: { 'application/json': content(reference('schemas', 'Status')) },
      },
      ...errorResponses([caughtError(() => statusSchema(style.queries)({ from: 'yesterday' }))], style),
    },
  }
}

/** Describes the operations outside the catalog. */
export function servicePaths(
  resources: readonly Resource[],
  { prefix, style, asksKey = false, givesMetrics = true, areMetricsLocked = false }: DocumentOptions,
): OpenApiDocument['paths'] {
  const lists = resources.flatMap((resource) => {
    const { graphql: face } = resource
    if (face?.persisted === undefined) return []
    return [[`/graphql/${face.persisted}`, { get: persisted(resource, face, asksKey) }] as const]
  })
  const ask =
    'Nodes are flat; lists go by cursor. GET /graphql in a browser shows a page to write queries and to read the schema.'
  const status = exactly({ status: { type: 'string', const: 'ok' } })
  const lives = {
    200: { description: 'It lives.', content: { 'application/json': content(status, { status: 'ok' }) } },
  }
  const notReady = new ServiceError('not_ready', errorTable.not_ready.meaning)
  return {
    '/graphql': {
      post: {
        ...graphql('post-graphql', 'A query of GraphQL', ask, [asOf], asksKey, [
          ...guarded,
          'body_too_large',
        ]),
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: reference('schemas', 'GraphqlRequest'),
              examples: {
                query: { summary: 'A query that always answers.', value: { query: '{ status }' } },
              },
            },
          },
        },
      },
      get: graphql('get-graphql', 'A query of GraphQL in the address', ask, askedByGet, asksKey),
    },
    ...Object.fromEntries(lists),
    [`${prefix}/status`]: { get: lakeStatus(style, asksKey) },
    '/healthz': {
      get: health('get-healthz', 'Whether the process lives', 'Needs no key.', lives),
    },
    '/up': {
      get: health(
        'get-up',
        'Whether the process lives, by another name',
        'The same as /healthz. Needs no key.',
        lives,
      ),
    },
    '/readyz': {
      get: health(
        'get-readyz',
        'Whether it can answer',
        'It has a snapshot, can read lake and keys, its engine answers, and it is not about to stop. Needs no key.',
        {
          200: {
            description: 'It can.',
            content: {
              'application/json': content(
                exactly({
                  status: { type: 'string', const: 'ready' },
                  snapshot: { type: 'string', description: 'Id of the snapshot that is answered from.' },
                }),
              ),
            },
          },
          503: responseOf([notReady], style),
        },
      ),
    },
    ...(givesMetrics && { '/metrics': { get: metricsOf(style, areMetricsLocked, asksKey) } }),
  }
}

/** Describes /metrics; if locked it needs a key with the feature. */
function metricsOf(style: DocumentStyle, isLocked: boolean, asksKey: boolean): OperationObject {
  const needs: readonly Feature[] = ['Metrics']
  const open = health(
    'get-metrics',
    'Counts and times of requests',
    `In the text format of Prometheus. ${isLocked ? needsSentence(needs) : 'Needs no key.'}`,
    { 200: { description: 'The metrics.', content: { 'text/plain': content({ type: 'string' }) } } },
  )
  if (!isLocked) return open
  const plain = (['authentication_required', 'usage_limit_exceeded', 'rate_limit_exceeded'] as const).map(
    (code) => new ServiceError(code, errorTable[code].meaning),
  )
  const refusals = [...missingFeatures(needs), ...plain].map(
    (error) => [style.errorOf(error).status, responseOf([error], style)] as const,
  )
  return {
    ...open,
    security: securityOf(needs, asksKey),
    responses: { ...open.responses, ...Object.fromEntries(refusals) },
  }
}
