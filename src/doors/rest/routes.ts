import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../../base/errors.ts'
import { writeJson } from '../../base/values/json-writer.ts'
import { MOST_BODY_BYTES } from '../../catalog/query/series-parameters.ts'
import type { Resource } from '../../catalog/resource.ts'
import { filesPath, hasFiles, operationsOf, takesBody } from '../contract/operations.ts'
import { QUEUE_FULL } from '../gate/work-queue.ts'
import type { RestContext } from './context.ts'
import { addEarningsRoute } from './earnings.ts'
import { addCellRoute } from './h3-cells.ts'
import { routeHandler } from './route-handler.ts'
import { addSearchRoute } from './search.ts'
import { addSqlRoutes } from './sql.ts'
import { addStatementRoutes } from './statement.ts'
import { addStatusRoute } from './status.ts'

/** Adds all REST routes below `prefix`. */
export function addRestRoutes(
  server: FastifyInstance,
  prefix: string,
  resources: readonly Resource[],
  context: RestContext,
): void {
  addStatusRoute(server, prefix, context)
  addStatementRoutes(server, prefix, context)
  addEarningsRoute(server, prefix, context)
  addCellRoute(server, prefix, context)
  addSqlRoutes(server, prefix, context)
  const refusal = writeJson(context.dialect.errorOf(new ServiceError('overloaded', QUEUE_FULL)).body)
  addSearchRoute(server, prefix, resources, context, refusal)
  for (const operation of operationsOf(resources, context.dialect.queries)) {
    // Sums rarely need the queue.
    const terms = operation.kind === 'list' || operation.kind === 'find' ? { refusal } : {}
    const path = operation.path.replace('{id}', ':id')
    const { handler, fileHandler, direct } = routeHandler(context, operation)
    context.pipeline.add({ ...direct, path: prefix + path, needs: operation.needs })
    server.get(prefix + path, context.gate.route(operation.needs, terms), handler)
    if (takesBody(operation))
      server.post(
        prefix + path,
        { ...context.gate.route(operation.needs), bodyLimit: MOST_BODY_BYTES },
        handler,
      )
    if (hasFiles(operation, context.dialect.queries))
      server.get(prefix + filesPath(operation), context.gate.route(operation.needs, terms), fileHandler)
  }
}
