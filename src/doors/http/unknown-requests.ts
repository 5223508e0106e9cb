import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../base/errors.ts'
import { answerPreflight } from '../hooks/cors.ts'
import { type ErrorForm, sendError, toServiceError } from '../reply/error-reply.ts'
import { nearestPath } from './nearest-path.ts'

/** Sends an error in the format of one API; `nearest` is a suggested path. */
type SendRefusal = (error: ServiceError, nearest?: string) => FastifyReply

/** Responds to a request without a route: OPTIONS, 405 with Allow, or 404 with the nearest path. */
export type AnswerUnknown = (request: FastifyRequest, reply: FastifyReply, send: SendRefusal) => FastifyReply

interface Route {
  readonly method: string
  readonly url: string
  readonly pattern: RegExp
}

/** Call it before the routes are added, which it collects. */
export function openUnknownRequests(server: FastifyInstance, basePath: string): AnswerUnknown {
  const routes: Route[] = []
  server.addHook('onRoute', ({ method, url }) => {
    for (const name of [method].flat())
      if (name !== 'OPTIONS') routes.push({ method: name, url, pattern: patternOf(url) })
  })

  /** Returns the methods of a path; `*` has those of all paths. */
  function methodsOf(path: string): readonly string[] {
    const matching = routes.filter(({ pattern }) => path === '*' || pattern.test(path))
    return [...new Set(matching.map(({ method }) => method))].sort()
  }

  function nearestTo(path: string): string | undefined {
    const pages = routes.filter(({ method, url }) => method === 'GET' && !url.endsWith('*'))
    const nearest = nearestPath(
      path,
      pages.map(({ url }) => url),
    )
    return nearest === undefined ? undefined : basePath + nearest
  }

  return (request, reply, send) => {
    const path = request.url.split('?')[0] ?? ''
    const shown = (request.originalUrl.split('?')[0] ?? '').slice(0, 200)
    const methods = methodsOf(path)
    // A route may call this too, when it has no such page.
    if (methods.length === 0 || methods.includes(request.method)) {
      const nearest = nearestTo(path)
      const hint =
        nearest === undefined ? `the operations are listed at ${basePath}/.` : `did you mean ${nearest}?`
      return send(new ServiceError('not_found', `There is no ${request.method} ${shown}; ${hint}`), nearest)
    }
    reply.header('Allow', [...methods, 'OPTIONS'].join(', '))
    if (request.method === 'OPTIONS') {
      answerPreflight(request, reply, methods.join(', '))
      return reply.code(204).send()
    }
    const sentence = `${shown} is asked with ${methods.join(' or ')}, not with ${request.method}.`
    return send(new ServiceError('method_not_allowed', sentence))
  }
}

/** Converts a route such as `/v1/net/l2/makers/:id`; a slash at the end is optional. */
function patternOf(url: string): RegExp {
  const parts = url.replace(/\/$/, '').split('/')
  const expressions = parts.map((part) => {
    if (part === '*') return '.*'
    return part.startsWith(':') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  })
  return new RegExp(`^${expressions.join('/')}/?$`)
}

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
