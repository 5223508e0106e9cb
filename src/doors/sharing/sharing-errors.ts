import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorCode, ServiceError } from '../../base/errors.ts'
import { writeJson } from '../../base/values/json-writer.ts'
import { withoutKeys } from '../../keys/api-key.ts'
import { setRetryAfter, toServiceError } from '../reply/error-reply.ts'
import { JSON_TYPE } from '../reply/representation.ts'

/** Statuses and codes of the protocol that differ from REST. Source: the protocol, and its reference server. */
const protocolErrors: Readonly<
  Partial<Record<ErrorCode, { readonly status?: number; readonly code: string }>>
> = {
  not_found: { code: 'RESOURCE_DOES_NOT_EXIST' },
  gone: { status: 404, code: 'RESOURCE_DOES_NOT_EXIST' },
  malformed_request: { status: 400, code: 'INVALID_PARAMETER_VALUE' },
  method_not_allowed: { code: 'UNSUPPORTED_OPERATION' },
  internal: { code: 'INTERNAL_ERROR' },
}

/** Sends an error in the form of the protocol: `{"errorCode", "message"}`. */
export function sendSharingError(
  thrown: FastifyError | ServiceError,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const error = toServiceError(thrown, request)
  const { status = error.status, code = error.code.toUpperCase() } = protocolErrors[error.code] ?? {}
  setRetryAfter(error, reply)
  const body = withoutKeys(writeJson({ errorCode: code, message: error.message }))
  return reply.code(status).type(JSON_TYPE).send(body)
}
