import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { writeJson } from '../derive/json-writer.ts'
import { errorTable, ServiceError } from '../errors.ts'

/** Every failure leaves by here: `{ error, code }`, with `errors` for parameters, and nothing of the inside. */
export function replyWithErrors(server: FastifyInstance): void {
  server.setErrorHandler((error: FastifyError | ServiceError, request, reply) => {
    sendError(toServiceError(error, request), reply)
  })
  server.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? ''
    const sentence = `There is no ${request.method} ${path.slice(0, 200)}; the operations are listed at /.`
    sendError(new ServiceError('not_found', sentence), reply)
  })
}

export function sendError(error: ServiceError, reply: FastifyReply): FastifyReply {
  const faults = error.faults.map(({ param, message }) => ({ param, message }))
  const body = {
    error: error.message,
    code: error.code,
    ...(faults.length > 0 && { errors: faults }),
  }
  return reply.code(error.status).type('application/json; charset=utf-8').send(writeJson(body))
}

function toServiceError(error: FastifyError | ServiceError, request: FastifyRequest): ServiceError {
  if (error instanceof ServiceError && error.status < 500) return error
  if (error instanceof ServiceError && error.code === 'not_ready') return error
  if (error.name === 'TimeoutError') {
    return new ServiceError(
      'deadline_exceeded',
      'The answer took longer than the deadline; a shorter range is faster.',
    )
  }
  if (error.name === 'AbortError') return new ServiceError('deadline_exceeded', 'The caller is gone.')
  const status = 'statusCode' in error ? error.statusCode : undefined
  if (status !== undefined && status >= 400 && status < 500) {
    return new ServiceError('malformed_request', `The request cannot be read: ${error.message}.`)
  }
  request.log.error(error)
  const meaning = errorTable[error instanceof ServiceError ? error.code : 'internal'].meaning
  const code = error instanceof ServiceError ? error.code : 'internal'
  return new ServiceError(code, `${meaning} Request id ${request.id}.`, { cause: error })
}
