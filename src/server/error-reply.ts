import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { writeJson } from '../derive/json-writer.ts'
import { type ErrorCode, errorTable, ServiceError } from '../errors.ts'
import { withoutKeys } from '../keys/api-key.ts'
import { type Dialect, specified } from './dialect/dialect.ts'
import { answerPreflight } from './hooks/cors.ts'
import { nearestPath } from './nearest-path.ts'
import { JSON_TYPE, send } from './reply/representation.ts'

/** Replies to every error with its sentence, its code and `errors` for parameters, and without internals. What it suggests begins with `basePath`. */
export function replyWithErrors(server: FastifyInstance, dialect: Dialect, basePath: string): void {
  const known: string[] = []
  const refuse = (request: FastifyRequest, reply: FastifyReply) =>
    refuseUnknown(server, known, request, reply, dialect, basePath)
  server.addHook('onRoute', ({ method, url }) => {
    if (method === 'GET' && !url.endsWith('*')) known.push(url)
  })
  server.setErrorHandler((error: FastifyError | ServiceError, request, reply) =>
    // 404 or 405 comes before any complaint about the body.
    request.is404 ? refuse(request, reply) : sendError(toServiceError(error, request), reply, dialect),
  )
  server.setNotFoundHandler(refuse)
}

function refuseUnknown(
  server: FastifyInstance,
  known: readonly string[],
  request: FastifyRequest,
  reply: FastifyReply,
  dialect: Dialect,
  basePath: string,
): FastifyReply {
  const path = request.url.split('?')[0] ?? ''
  // The router takes `:` and `*` for patterns; in an address they are ordinary characters.
  const plain = path.replace(/[:*]/g, '%').replace(/\/$/, '')
  // The last part of a path may be an id.
  const routes = [plain, plain.replace(/[^/]*$/, ':id')]
  const allowed = methods.filter((method) => routes.some((url) => server.hasRoute({ method, url })))
  const shown = (request.originalUrl.split('?')[0] ?? '').slice(0, 200)
  if (allowed.length === 0) {
    const meant = nearestPath(path, known)
    const hint =
      meant === undefined ? `the operations are listed at ${basePath}/.` : `did you mean ${basePath}${meant}?`
    return sendError(
      new ServiceError('not_found', `There is no ${request.method} ${shown}; ${hint}`),
      reply,
      dialect,
    )
  }
  reply.header('Allow', [...allowed, 'OPTIONS'].join(', '))
  if (request.method === 'OPTIONS') {
    answerPreflight(request, reply, allowed.join(', '))
    return reply.code(204).send()
  }
  const only = `${shown} is asked with ${allowed.join(' or ')}, not with ${request.method}.`
  return sendError(new ServiceError('method_not_allowed', only), reply, dialect)
}

const methods = ['GET', 'HEAD', 'POST'] as const

/** Temporary errors of the server, and after how many seconds to ask again. */
const passing: Readonly<Partial<Record<ErrorCode, number>>> = { overloaded: 1, not_ready: 5 }

/** Sends Retry-After for temporary errors, where it is not known better. */
export function sayWhenAgain({ code }: ServiceError, reply: FastifyReply): void {
  const seconds = passing[code]
  if (seconds !== undefined && !reply.hasHeader('Retry-After')) reply.header('Retry-After', seconds)
}

export function sendError(error: ServiceError, reply: FastifyReply, dialect = specified): FastifyReply {
  const { status, body } = dialect.errorOf(error)
  sayWhenAgain(error, reply)
  return send(reply.code(status), { type: JSON_TYPE, body: withoutKeys(writeJson(body)) })
}

/** Who is told of an error that nobody foresaw: the log of a request, and its id. */
export interface Told {
  readonly id: string
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
