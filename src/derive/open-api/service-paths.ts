import type { GraphqlFace, Resource } from '../../catalog/resource.ts'
import type { ErrorCode } from '../../errors.ts'
import { errorTable, ServiceError } from '../../errors.ts'
import type { Json } from '../json-writer.ts'
import type {
  Content,
  DocumentStyle,
  OpenApiDocument,
  OperationObject,
  Parameter,
  Response,
} from './document-types.ts'
import { responseOf } from './error-responses.ts'
import { KEY } from './rest-operations.ts'
import { exactly, reference, type Schema } from './schema.ts'

const text = (name: string, description: string): Parameter => ({
  name,
  in: 'query',
  description,
  schema: { type: 'string' },
})

const count = (name: string, description: string): Parameter => ({
  name,
  in: 'query',
  description,
  schema: { type: 'integer', minimum: 0 },
})

const asOf = text('as_of', 'Snapshot to answer from, by the id in the header Ledgerlake-Snapshot.')
const requestId = { 'X-Request-Id': reference('headers', 'X-Request-Id') }

const content = (schema: Schema, value?: Json): Content => ({
  schema,
  ...(value !== undefined && { examples: { reply: { summary: 'A reply.', value } } }),
})

const query = { type: 'string', description: 'The query.' } as const

/** Schemas of what GraphQL is asked and answers. */
export const graphqlSchemas: Readonly<Record<string, Schema>> = {
  GraphqlRequest: {
    type: 'object',
    description: 'A query, and what it leaves open.',
    properties: {
      query,
      variables: { type: ['object', 'null'], description: 'Values of its variables.' },
      operationName: { type: ['string', 'null'], description: 'Which of several operations is meant.' },
    },
    required: ['query'],
  },
  GraphqlReply: {
    type: 'object',
    description: 'What was selected, and what went wrong.',
    properties: {
      data: { type: ['object', 'null'], description: 'What was selected; 64-bit integers are text.' },
      errors: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          properties: {
            message: { type: 'string' },
            extensions: { type: 'object', description: 'The code, and faulty parameters.' },
            locations: { type: 'array', items: { type: 'object' } },
            path: { type: 'array', items: { type: ['string', 'integer'] } },
          },
          required: ['message', 'extensions'],
          additionalProperties: false,
        },
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

function graphql(summary: string, description: string, parameters: readonly Parameter[]): OperationObject {
  const schema = reference('schemas', 'GraphqlReply')
  const reply = (what: string): Response => ({
    description: what,
    headers: requestId,
    content: { 'application/json': content(schema) },
  })
  const failures = guarded.map((code) => [
    errorTable[code].status,
    reply(`\`${code}\`: ${errorTable[code].meaning}`),
  ])
  return {
    tags: ['GraphQL'],
    summary,
    description,
    security: [{ [KEY]: [] }, {}],
    parameters,
    responses: {
      200: reply('What the fields gave; the error of a field stands beside the others.'),
      400: reply('`malformed_request`: The query or a parameter cannot be read; each error says why.'),
      ...Object.fromEntries(failures),
    },
  }
}

function persisted({ query: name, arguments: named }: GraphqlFace): OperationObject {
  const own = Object.entries(named).map(([argument, { filter }]) => text(argument, `The filter ${filter}.`))
  return graphql(`${name}, without writing a query`, `Every flat field of ${name}, a page by cursor.`, [
    ...own,
    { ...count('first', 'Nodes after the cursor, 100 at most; 100 unless given.'), example: 1 },
    text('after', 'endCursor of the page before.'),
    count('last', 'Nodes before the cursor, 100 at most.'),
    text('before', 'startCursor of the page after.'),
    asOf,
  ])
}

function health(
  summary: string,
  description: string,
  responses: OperationObject['responses'],
): OperationObject {
  return { tags: ['Service'], summary, description, security: [], responses }
}

/** What the server answers beside the operations of the catalog. */
export function servicePaths(resources: readonly Resource[], style: DocumentStyle): OpenApiDocument['paths'] {
  const lists = resources.flatMap(({ graphql: face }) =>
    face?.persisted === undefined ? [] : [[`/graphql/${face.persisted}`, { get: persisted(face) }] as const],
  )
  const ask =
    'Nodes are flat; lists go by cursor. GET /graphql in a browser shows an editor that knows the schema.'
  const notReady = new ServiceError('not_ready', errorTable.not_ready.meaning)
  return {
    '/graphql': {
      post: {
        ...graphql('A query of GraphQL', ask, [asOf]),
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
      get: graphql('A query of GraphQL in the address', ask, [
        { ...text('query', 'The query.'), required: true, example: '{ status }' },
        text('variables', 'Values of its variables, a JSON object.'),
        text('operationName', 'Which of several operations is meant.'),
        text('extensions', 'Accepted and not looked at.'),
        asOf,
      ]),
    },
    ...Object.fromEntries(lists),
    '/healthz': {
      get: health('Whether the process lives', 'Needs no key.', {
        200: {
          description: 'It lives.',
          content: {
            'application/json': content(exactly({ status: { type: 'string', const: 'ok' } }), {
              status: 'ok',
            }),
          },
        },
      }),
    },
    '/readyz': {
      get: health('Whether it can answer', 'It has a snapshot and is not about to stop. Needs no key.', {
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
      }),
    },
    '/metrics': {
      get: health('Counts and times of requests', 'In the text format of Prometheus. Needs no key.', {
        200: { description: 'The metrics.', content: { 'text/plain': content({ type: 'string' }) } },
      }),
    },
  }
}
