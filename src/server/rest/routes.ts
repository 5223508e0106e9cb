import type { FastifyInstance } from 'fastify'
import type { Resource } from '../../catalog/resource.ts'
import { operationsOf, takesBody } from '../../derive/operations.ts'
import { type RestContext, routeHandler } from './route-handler.ts'
import { addStatementRoutes } from './statement.ts'
import { addStatusRoute } from './status.ts'

/** A route below `prefix` for every operation that the documents describe, for statements and for the status. */
export function addRestRoutes(
  server: FastifyInstance,
  prefix: string,
  resources: readonly Resource[],
  context: RestContext,
): void {
  addStatusRoute(server, prefix, context)
  addStatementRoutes(server, prefix, context)
  for (const operation of operationsOf(resources, context.dialect.queries)) {
    const path = operation.path.replace('{id}', ':id')
    const handler = routeHandler(context, operation)
    server.get(prefix + path, context.gate.route(operation.needs), handler)
    if (takesBody(operation)) server.post(prefix + path, context.gate.route(operation.needs), handler)
  }
}
