import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ServiceError } from '../../base/errors.ts'
import { type ErrorForm, sendError, toServiceError } from '../reply/error-reply.ts'
import type { AnswerUnknown } from './unknown-requests.ts'

export function replyWithErrors(
  server: FastifyInstance,
  form: ErrorForm,
  answerUnknown: AnswerUnknown,
): void {
  const refuseUnknown = (request: FastifyRequest, reply: FastifyReply) =>
    answerUnknown(request, reply, (error, nearest) => sendError(error, reply, form, nearest))
  server.setErrorHandler((error: FastifyError | ServiceError, request, reply) =>
    // 404 and 405 take precedence over errors of the body.
    request.is404 ? refuseUnknown(request, reply) : sendError(toServiceError(error, request), reply, form),
  )
  server.setNotFoundHandler(refuseUnknown)
}
