import type { FastifyError, FastifyRequest } from 'fastify'
import { GraphQLError } from 'graphql'
import { ServiceError } from '../../base/errors.ts'
import { quoted } from '../../base/parameter-text.ts'
import type { JsonObject } from '../../base/values/json-writer.ts'
import { withoutKeys } from '../../keys/api-key.ts'
import { toServiceError } from '../reply/error-reply.ts'

/** Returns an error as GraphQL sends it: message, code and faulty parameters. */
export function errorBody({ message, code, faults }: ServiceError): JsonObject {
  const errors = faults.map((fault) => ({
    param: withoutKeys(fault.param),
    message: withoutKeys(fault.message),
  }))
  return { message: withoutKeys(message), extensions: { code, ...(errors.length > 0 && { errors }) } }
}

/** Adds the location in the query and the path in the response. */
export function graphqlErrorBody({ locations, path }: GraphQLError, shown: ServiceError): JsonObject {
  return {
    ...errorBody(shown),
    ...(locations && { locations: locations.map(({ line, column }) => ({ line, column })) }),
    ...(path && { path }),
  }
}

/** Messages that replace unclear ones of graphql. */
const sentences: Readonly<Record<string, string>> = {
  'Validation aborted.':
    'The query names the same fields or fragments too often to be checked; name each of them once.',
  'Too many validation errors, error limit reached. Validation aborted.':
    'More is wrong with the query; only the first faults are named.',
}

/** graphql quotes names and values without a limit of length. */
const MOST_CHARACTERS = 500

/** Returns the error for the client. An error without a path was raised before execution. */
export function toVisibleError(error: GraphQLError, request: FastifyRequest): ServiceError {
  if (error.path !== undefined) return toServiceError(rootCause(error), request)
  const sentence = sentences[error.message] ?? error.message
  const isLong = sentence.length > MOST_CHARACTERS
  return new ServiceError('malformed_request', isLong ? `${sentence.slice(0, MOST_CHARACTERS)}…` : sentence)
}

function rootCause(error: Error): Error {
  const cause = error instanceof GraphQLError ? error.originalError : undefined
  return cause instanceof Error ? rootCause(cause) : error
}

const ADVICE = 'send an object such as {"query": "{ status }"}'

/** Returns the error for a body that is no GraphQL request; undefined for other failures. */
export function bodyError(
  { code }: FastifyError | ServiceError,
  { headers }: FastifyRequest,
): ServiceError | undefined {
  const type = headers['content-type']
  const bodySentences: Readonly<Record<string, string>> = {
    FST_ERR_CTP_INVALID_MEDIA_TYPE:
      type === undefined
        ? 'There is no Content-Type; use application/json.'
        : `The Content-Type is ${quoted(type)}; use application/json.`,
    FST_ERR_CTP_EMPTY_JSON_BODY: `The body is empty; ${ADVICE}.`,
    FST_ERR_CTP_INVALID_JSON_BODY: `The body cannot be read as JSON, plain and in UTF-8, without a key __proto__; ${ADVICE}.`,
  }
  const sentence = bodySentences[code]
  return sentence === undefined ? undefined : new ServiceError('malformed_request', sentence)
}
