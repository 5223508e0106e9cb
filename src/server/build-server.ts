import { randomUUID } from 'node:crypto'
import { parse } from 'node:querystring'
import Fastify, { type FastifyInstance } from 'fastify'
import { resources } from '../catalog/resources.ts'
import { ServiceError } from '../errors.ts'
import type { Repository } from '../repository/repository.ts'
import { answerUnreadable, replyWithErrors, sendError } from './error-reply.ts'
import { addFrontPage } from './front-page.ts'
import { addGraphqlRoutes } from './graphql/routes.ts'
import { type Habits, specified } from './habits/habits.ts'
import { addHealthRoutes } from './health.ts'
import { addRestRoutes } from './rest/routes.ts'
import type { ServedSnapshots } from './served-snapshots.ts'

export interface ServerOptions {
  readonly repository: Repository
  readonly snapshots: ServedSnapshots
  /** Path segment that stands for the network. */
  readonly network: string
  readonly requestTimeoutMs: number
  /** Those of the specification, unless clients of an existing service are to be served. */
  readonly habits?: Habits
  readonly isDraining?: () => boolean
  readonly logLevel?: 'error' | 'silent'
}

/** The one thing that the router refuses by itself. */
const unreadableAddress = new ServiceError(
  'malformed_request',
  'The address cannot be read: its percent-encoding is broken; a percent sign itself is written %25.',
)

/** Services in, server out; it does not listen yet. */
export function buildServer(options: ServerOptions): FastifyInstance {
  const { habits = specified, network } = options
  const server = Fastify({
    genReqId: () => randomUUID(),
    logger: { level: options.logLevel ?? 'error', stream: process.stderr },
    routerOptions: {
      querystringParser: (text) => ({ ...parse(text, '&', '=', { maxKeys: 0 }) }),
      // Keys of any length are looked up; what HTTP lets pass is bounded already.
      maxParamLength: 65_536,
    },
    clientErrorHandler: answerUnreadable,
    return503OnClosing: false,
    frameworkErrors: (_error, _request, reply) => {
      sendError(unreadableAddress, reply, habits)
    },
  })
  replyWithErrors(server, habits)
  const prefix = `/v1/${network}`
  addHealthRoutes(server, options.snapshots, options.isDraining ?? (() => false))
  for (const segment of new Set([network, ...habits.networks])) {
    addRestRoutes(server, `/v1/${segment}`, resources, { ...options, habits })
  }
  addGraphqlRoutes(server, resources, options)
  addFrontPage(server, prefix, options.snapshots)
  return server
}
