import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../errors.ts'
import { type ErrorForm, sendError, toServiceError } from './error-reply.ts'
import { answerPreflight } from './hooks/cors.ts'
import { nearestPath } from './nearest-path.ts'

const methods = ['GET', 'HEAD', 'POST'] as const

/** Replies to every error with its sentence, its code and what is wrong with each parameter, and without internals. */
export function replyWithErrors(server: FastifyInstance, form: ErrorForm): void {
  const known: string[] = []
  const refuse = (request: FastifyRequest, reply: FastifyReply) =>
    refuseUnknown(server, known, request, reply, form)
  server.addHook('onRoute', ({ method, url }) => {
    if (method === 'GET' && !url.endsWith('*')) known.push(url)
  })
  server.setErrorHandler((error: FastifyError | ServiceError, request, reply) =>
    // 404 or 405 comes before any complaint about the body.
    request.is404 ? refuse(request, reply) : sendError(toServiceError(error, request), reply, form),
  )
  server.setNotFoundHandler(refuse)
}

function refuseUnknown(
  server: FastifyInstance,
  known: readonly string[],
  request: FastifyRequest,
  reply: FastifyReply,
  form: ErrorForm,
): FastifyReply {
  const { basePath } = form
  const path = request.url.split('?')[0] ?? ''
  // The router takes `:` and `*` for patterns; in an address they are ordinary characters.
  const plain = path.replace(/[:*]/g, '%').replace(/\/$/, '')
  // The last part of a path may be an id.
  const routes = [plain, plain.replace(/[^/]*$/, ':id')]
  const allowed = methods.filter((method) => routes.some((url) => server.hasRoute({ method, url })))
  const shown = (request.originalUrl.split('?')[0] ?? '').slice(0, 200)
  if (allowed.length === 0) {
    const meant = nearestPath(path, known)
    const nearest = meant === undefined ? undefined : basePath + meant
    const hint =
      nearest === undefined ? `the operations are listed at ${basePath}/.` : `did you mean ${nearest}?`
    const error = new ServiceError('not_found', `There is no ${request.method} ${shown}; ${hint}`)
    return sendError(error, reply, form, nearest)
  }
  reply.header('Allow', [...allowed, 'OPTIONS'].join(', '))
  if (request.method === 'OPTIONS') {
    answerPreflight(request, reply, allowed.join(', '))
    return reply.code(204).send()
  }
  const only = `${shown} is asked with ${allowed.join(' or ')}, not with ${request.method}.`
  return sendError(new ServiceError('method_not_allowed', only), reply, form)
}
