import type { FastifyError, FastifyRequest } from 'fastify'
import { quoted } from '../../derive/parameter-text.ts'
import { ServiceError } from '../../errors.ts'

const ADVICE = 'send an object such as {"query": "{ status }"}'

/** What is wrong with a body that never became a query; undefined for every other failure. */
export function unreadableBody(
  { code }: FastifyError | ServiceError,
  { headers, routeOptions }: FastifyRequest,
): ServiceError | undefined {
  const type = headers['content-type']
  const sentences: Readonly<Record<string, string>> = {
    FST_ERR_CTP_INVALID_MEDIA_TYPE:
      type === undefined
        ? 'There is no Content-Type; use application/json.'
        : `The Content-Type is ${quoted(type)}; use application/json.`,
    FST_ERR_CTP_BODY_TOO_LARGE: `The body is too large; the limit is ${routeOptions.bodyLimit} bytes.`,
    FST_ERR_CTP_EMPTY_JSON_BODY: `The body is empty; ${ADVICE}.`,
    FST_ERR_CTP_INVALID_JSON_BODY: `The body cannot be read as JSON, plain and in UTF-8, without a key __proto__; ${ADVICE}.`,
  }
  const sentence = sentences[code]
  return sentence === undefined ? undefined : new ServiceError('malformed_request', sentence)
}
