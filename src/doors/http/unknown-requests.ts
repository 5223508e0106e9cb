import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../base/errors.ts'
import { answerPreflight } from '../hooks/cors.ts'
import { nearestPath } from './nearest-path.ts'

/** Sends an error in the form of a part of the server. `nearest` is the address that was probably meant. */
type SendRefusal = (error: ServiceError, nearest?: string) => FastifyReply

/** Answers a request that no route takes: OPTIONS, 405 with Allow, or 404 with the nearest address. */
export type AnswerUnknown = (request: FastifyRequest, reply: FastifyReply, send: SendRefusal) => FastifyReply

interface Address {
  readonly method: string
  readonly url: string
  readonly pattern: RegExp
}

/** Notes every route that is added afterwards. `basePath` precedes each path. */
export function openUnknownRequests(server: FastifyInstance, basePath: string): AnswerUnknown {
  const addresses: Address[] = []
  server.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat())
      if (one !== 'OPTIONS') addresses.push({ method: one, url, pattern: patternOf(url) })
  })

  /** The methods of a path; those of all paths for `*`, which stands for the server. */
  function methodsOf(path: string): readonly string[] {
    const methods = addresses.filter(({ pattern }) => path === '*' || pattern.test(path))
    return [...new Set(methods.map(({ method }) => method))].sort()
  }

  function nearestTo(path: string): string | undefined {
    const pages = addresses.filter(({ method, url }) => method === 'GET' && !url.endsWith('*'))
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
    // A route may find that it has no such page.
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
    const only = `${shown} is asked with ${methods.join(' or ')}, not with ${request.method}.`
    return send(new ServiceError('method_not_allowed', only))
  }
}

/** `/v1/net/l2/makers/:id` as an expression over paths, with or without a slash at the end. */
function patternOf(url: string): RegExp {
  const parts = url.replace(/\/$/, '').split('/')
  const expressions = parts.map((part) => {
    if (part === '*') return '.*'
    return part.startsWith(':') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  })
  return new RegExp(`^${expressions.join('/')}/?$`)
}
