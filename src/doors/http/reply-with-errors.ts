import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ServiceError } from '../../base/errors.ts'
import { type ErrorForm, sendError, toServiceError } from '../reply/error-reply.ts'
import type { AnswerUnknown } from './unknown-requests.ts'

/** Replies to every error with its sentence, its code and what is wrong with each parameter, and without internals. */
export function replyWithErrors(
  server: FastifyInstance,
  form: ErrorForm,
  answerUnknown: AnswerUnknown,
): void {
  const refuse = (request: FastifyRequest, reply: FastifyReply) =>
    answerUnknown(request, reply, (error, nearest) => sendError(error, reply, form, nearest))
  server.setErrorHandler((error: FastifyError | ServiceError, request, reply) =>
    // 404 or 405 comes before any complaint about the body.
    request.is404 ? refuse(request, reply) : sendError(toServiceError(error, request), reply, form),
  )
  server.setNotFoundHandler(refuse)
}
