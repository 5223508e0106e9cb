import type { FastifyInstance } from 'fastify'
import type { Resource } from '../../catalog/resource.ts'
import { operationsOf } from '../../derive/operations.ts'
import { type RestContext, routeHandler } from './route-handler.ts'
import { addStatementRoutes } from './statement.ts'

/** A route below `prefix` for every operation that the documents describe, and for statements. */
export function addRestRoutes(
  server: FastifyInstance,
  prefix: string,
  resources: readonly Resource[],
  context: RestContext,
): void {
  addStatementRoutes(server, prefix, context)
  for (const operation of operationsOf(resources)) {
    const path = operation.path.replace('{id}', ':id')
    server.get(prefix + path, context.gate.route(operation.needs), routeHandler(context, operation))
  }
}
