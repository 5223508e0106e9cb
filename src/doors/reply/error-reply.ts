import type { FastifyError, FastifyReply } from 'fastify'
import { type ErrorCode, errorTable, ServiceError } from '../../base/errors.ts'
import { writeJson } from '../../base/values/json-writer.ts'
import { withoutKeys } from '../../operate/keys/api-key.ts'
import type { Dialect } from '../dialect/dialect.ts'
import { errorPage, errorPolicy } from '../page/error-page.ts'
import { preferredBy } from './accept.ts'
import { HTML_TYPE, JSON_TYPE, send } from './representation.ts'
import { varyBy } from './vary.ts'

/** Temporary errors of the server, and after how many seconds to ask again. */
const passing: Readonly<Partial<Record<ErrorCode, number>>> = { overloaded: 1, not_ready: 5 }

/** Sends Retry-After for temporary errors, where it is not known better. */
export function sayWhenAgain({ code }: ServiceError, reply: FastifyReply): void {
  const seconds = passing[code]
  if (seconds !== undefined && !reply.hasHeader('Retry-After')) reply.header('Retry-After', seconds)
}

/** How a server writes its errors. */
export interface ErrorForm {
  readonly dialect: Dialect
  /** What stands before its paths. */
  readonly basePath: string
}

/** Sends an error: as a page to who opened the address in a browser, else as JSON. `nearest` is the address that was probably meant. */
export function sendError(
  error: ServiceError,
  reply: FastifyReply,
  { dialect, basePath }: ErrorForm,
  nearest?: string,
): FastifyReply {
  const { status, body } = dialect.errorOf(error)
  sayWhenAgain(error, reply)
  reply.code(status)
  if (!isForBrowser(reply)) return send(reply, { type: JSON_TYPE, body: withoutKeys(writeJson(body)) })
  const { id: requestId } = reply.request
  const seconds = reply.hasHeader('Retry-After') ? Number(reply.getHeader('Retry-After')) : undefined
  const page = errorPage({ error, status, requestId, basePath, seconds, nearest })
  varyBy(reply, 'Accept').header('Content-Security-Policy', errorPolicy)
  return send(reply, { type: HTML_TYPE, body: withoutKeys(page) })
}

/**
 * Whether a browser opens an address; every browser names XHTML, which libraries that prefer HTML do not. Errors are not stored, so those of
 * programs do without Vary.
 */
function isForBrowser({ request: { method, headers } }: FastifyReply): boolean {
  if (!headers.accept?.includes('application/xhtml+xml')) return false
  const { type } = preferredBy(headers.accept, [{ type: JSON_TYPE }, { type: HTML_TYPE }])
  return type === HTML_TYPE && (method === 'GET' || method === 'HEAD')
}

/** Who is told of an error that nobody foresaw: the log of a request, and its id. */
export interface Told {
  readonly id: string
  readonly routeOptions?: { readonly bodyLimit?: number | undefined }
  readonly log: { error(details: object, sentence: string): void }
}

/** The error as a caller may read it; the cause of an unexpected one goes to the log. */
export function toServiceError(error: FastifyError | ServiceError, request: Told): ServiceError {
  if (error instanceof ServiceError && error.status < 500) return error
  if (error instanceof ServiceError && (error.isShown || passing[error.code] !== undefined)) return error
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
  const status = 'statusCode' in error ? error.statusCode : undefined
  if (status !== undefined && status >= 400 && status < 500) {
    return new ServiceError(
      'malformed_request',
      `The request cannot be read: ${error.message.replace(/\.$/, '')}.`,
    )
  }
  request.log.error({ err: error, reqId: request.id }, error.message)
  const meaning = errorTable[error instanceof ServiceError ? error.code : 'internal'].meaning
  const code = error instanceof ServiceError ? error.code : 'internal'
  return new ServiceError(code, `${meaning} Request id ${request.id}.`, { cause: error })
}
