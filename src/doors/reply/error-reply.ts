import type { FastifyReply } from 'fastify'
import { type ErrorCode, errorTable, ServiceError } from '../../base/errors.ts'
import { writeJson } from '../../base/values/json-writer.ts'
import { withoutKeys } from '../../keys/api-key.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { errorPage, errorPolicy } from '../html/error-page.ts'
import { preferredBy } from './accept.ts'
import { HTML_TYPE, JSON_TYPE, send } from './representation.ts'
import { varyBy } from './vary.ts'

/** Seconds of Retry-After for temporary errors. */
const retrySeconds: Readonly<Partial<Record<ErrorCode, number>>> = { overloaded: 1, not_ready: 5 }

/** Sets Retry-After for temporary errors, unless it is set. */
export function setRetryAfter({ code }: ServiceError, reply: FastifyReply): void {
  const seconds = retrySeconds[code]
  if (seconds !== undefined && !reply.hasHeader('Retry-After')) reply.header('Retry-After', seconds)
}

/** Format of error responses. */
export interface ErrorForm {
  readonly dialect: Dialect
  /** Prefix of paths in links. */
  readonly basePath: string
}

/** Sends an error as a page to browsers, otherwise as JSON. `nearest` is a suggested path. */
export function sendError(
  error: ServiceError,
  reply: FastifyReply,
  { dialect, basePath }: ErrorForm,
  nearest?: string,
): FastifyReply {
  const { status, body } = dialect.errorOf(error)
  setRetryAfter(error, reply)
  reply.code(status)
  if (!isForBrowser(reply)) return send(reply, { type: JSON_TYPE, body: withoutKeys(writeJson(body)) })
  const { id: requestId } = reply.request
  const seconds = reply.hasHeader('Retry-After') ? Number(reply.getHeader('Retry-After')) : undefined
  const page = errorPage({ error, status, requestId, basePath, seconds, nearest })
  varyBy(reply, 'Accept').header('Content-Security-Policy', errorPolicy)
  return send(reply, { type: HTML_TYPE, body: withoutKeys(page) })
}

/** Returns true for a page load: browsers accept XHTML, libraries do not. JSON errors need no Vary, since errors are not stored. */
function isForBrowser({ request: { method, headers } }: FastifyReply): boolean {
  if (!headers.accept?.includes('application/xhtml+xml')) return false
  const { type } = preferredBy(headers.accept, [{ type: JSON_TYPE }, { type: HTML_TYPE }])
  return type === HTML_TYPE && (method === 'GET' || method === 'HEAD')
}

/** The parts of a request that error handling needs. */
export interface FailedRequest {
  readonly id: string
  readonly routeOptions?: { readonly bodyLimit?: number | undefined }
  readonly log: { error(details: object, sentence: string): void }
}

/** A ServiceError, a FastifyError or an unexpected one. */
type Failure = Error & { readonly code?: string; readonly statusCode?: number | undefined }

/** Returns the error for the client, without internals. Logs the cause of unexpected errors. */
export function toServiceError(error: Failure, request: FailedRequest): ServiceError {
  if (error instanceof ServiceError && error.status < 500) return error
  if (error instanceof ServiceError && (error.isShown || retrySeconds[error.code] !== undefined)) return error
  if (error.name === 'TimeoutError') {
    return new ServiceError(
      'deadline_exceeded',
      'The answer took longer than the deadline; a shorter range is faster.',
    )
  }
  if (error.name === 'AbortError') return new ServiceError('deadline_exceeded', 'The caller is gone.')
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    const { bodyLimit = '' } = request.routeOptions ?? {}
    return new ServiceError(
      'body_too_large',
      `The body must have at most ${bodyLimit} bytes; send less at once.`,
    )
  }
  const status = error.statusCode
  if (status !== undefined && status >= 400 && status < 500) {
    return new ServiceError(
      'malformed_request',
      `The request cannot be read: ${error.message.replace(/\.$/, '')}.`,
    )
  }
  request.log.error({ err: error, reqId: request.id }, error.message)
  const code = error instanceof ServiceError ? error.code : 'internal'
  return new ServiceError(code, `${errorTable[code].meaning} Request id ${request.id}.`, { cause: error })
}
