import type { FastifyInstance } from 'fastify'
import { cellQuery, cellsPath } from '../contract/h3-cell-query.ts'
import { pathParameter, queryOf } from '../http/request-parameters.ts'
import { formatCacheControl } from '../reply/cache-control.ts'
import { jsonBody, send } from '../reply/representation.ts'
import type { RestContext } from './context.ts'

/** Adds GET `<prefix>/h3-cells/{id}`. It needs no snapshot. */
export function addCellRoute(
  server: FastifyInstance,
  prefix: string,
  { gate, dialect }: Pick<RestContext, 'gate' | 'dialect'>,
): void {
  server.get(`${prefix}${cellsPath}/:id`, gate.route(), async (request, reply) => {
    const id = pathParameter(request, 'id')
    const cell = cellQuery(id, queryOf(request), dialect.queries.refusesUnknown)
    // The library has half a megabyte, and few servers need it.
    const { h3Feature } = await import('../reply/h3-feature.ts')
    reply.header('Cache-Control', formatCacheControl(request.apiKey !== null, true))
    return send(reply, jsonBody(h3Feature(cell)))
  })
}
