import type { FastifyError, FastifyRequest } from 'fastify'
import { quoted } from '../../derive/parameter-text.ts'
import { ServiceError } from '../../errors.ts'

const ACCEPTED = 'an object such as {"query": "{ status }"} is accepted'

/** What is wrong with a body that never became a query; undefined for every other failure. */
export function unreadableBody(
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
