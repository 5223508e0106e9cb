import type { FastifyError, FastifyRequest } from 'fastify'
import { GraphQLError } from 'graphql'
import { ServiceError } from '../../base/errors.ts'
import { quoted } from '../../base/parameter-text.ts'
import type { JsonObject } from '../../base/values/json-writer.ts'
import { withoutKeys } from '../../operate/keys/api-key.ts'
import { toServiceError } from '../reply/error-reply.ts'

/** An error as callers read it, without internals: its sentence, its code, and the faulty parameters. */
export function bodyOf({ message, code, faults }: ServiceError): JsonObject {
  const errors = faults.map((fault) => ({
    param: withoutKeys(fault.param),
    message: withoutKeys(fault.message),
  }))
  return { message: withoutKeys(message), extensions: { code, ...(errors.length > 0 && { errors }) } }
}

/** The same for one error of a query, with its place in the query and in the reply. */
export function bodyOfGraphqlError({ locations, path }: GraphQLError, shown: ServiceError): JsonObject {
  return {
    ...bodyOf(shown),
    ...(locations && { locations: locations.map(({ line, column }) => ({ line, column })) }),
    ...(path && { path }),
  }
}

/** Where graphql gives up, its own words do not say why. */
const ownWords: Readonly<Record<string, string>> = {
  'Validation aborted.':
    'The query names the same fields or fragments too often to be checked; name each of them once.',
  'Too many validation errors, error limit reached. Validation aborted.':
    'More is wrong with the query; only the first faults are named.',
}

/** graphql quotes names and values in full, however long they are. */
const MOST_CHARACTERS = 500

/**
 * What a caller may read of one error of a query. Without a path nothing was executed: then graphql found the fault in
 * the query or in its variables.
 */
export function toVisibleError(error: GraphQLError, request: FastifyRequest): ServiceError {
  if (error.path !== undefined) return toServiceError(rootOf(error) as ServiceError, request)
  const sentence = ownWords[error.message] ?? error.message
  const isLong = sentence.length > MOST_CHARACTERS
  return new ServiceError('malformed_request', isLong ? `${sentence.slice(0, MOST_CHARACTERS)}…` : sentence)
}

function rootOf(error: Error): Error {
  const cause = error instanceof GraphQLError ? error.originalError : undefined
  return cause instanceof Error ? rootOf(cause) : error
}

const ADVICE = 'send an object such as {"query": "{ status }"}'

/** What is wrong with a body that never became a query; undefined for every other failure. */
export function unreadableBody(
  { code }: FastifyError | ServiceError,
  { headers }: FastifyRequest,
): ServiceError | undefined {
  const type = headers['content-type']
  const sentences: Readonly<Record<string, string>> = {
    FST_ERR_CTP_INVALID_MEDIA_TYPE:
      type === undefined
        ? 'There is no Content-Type; use application/json.'
        : `The Content-Type is ${quoted(type)}; use application/json.`,
    FST_ERR_CTP_EMPTY_JSON_BODY: `The body is empty; ${ADVICE}.`,
    FST_ERR_CTP_INVALID_JSON_BODY: `The body cannot be read as JSON, plain and in UTF-8, without a key __proto__; ${ADVICE}.`,
  }
  const sentence = sentences[code]
  return sentence === undefined ? undefined : new ServiceError('malformed_request', sentence)
}
