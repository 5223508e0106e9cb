import type { FastifyInstance } from 'fastify'
import type { Resource } from '../../catalog/resource.ts'
import { operationsOf, takesBody } from '../../derive/operations.ts'
import { type RestContext, routeHandler } from './route-handler.ts'

/** A route below `prefix` for every operation that the documents describe. */
export function addRestRoutes(
  server: FastifyInstance,
  prefix: string,
  resources: readonly Resource[],
  context: RestContext,
): void {
  for (const operation of operationsOf(resources)) {
    const path = operation.path.replace('{id}', ':id')
    const handler = routeHandler(context, operation)
    server.get(prefix + path, context.gate.route(operation.needs), handler)
    if (takesBody(operation)) server.post(prefix + path, context.gate.route(operation.needs), handler)
  }
}
