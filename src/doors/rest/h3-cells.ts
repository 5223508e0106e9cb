import type { FastifyInstance } from 'fastify'
import type { RawQuery } from '../../base/parameter-text.ts'
import { cellQuery, cellsPath } from '../contract/h3-cell-query.ts'
import { keptLong } from '../reply/cache-control.ts'
import { json, send } from '../reply/representation.ts'
import type { RestContext } from './context.ts'

/** GET `<prefix>/h3-cells/{id}`: the place of a cell. It follows from the index alone, so no snapshot is needed. */
export function addCellRoute(
  server: FastifyInstance,
  prefix: string,
  { gate, dialect }: Pick<RestContext, 'gate' | 'dialect'>,
): void {
  server.get(`${prefix}${cellsPath}/:id`, gate.route(), async (request, reply) => {
    const { id } = request.params as { readonly id: string }
    const cell = cellQuery(id, request.query as RawQuery, dialect.queries.refusesUnknown)
    // The library is half a megabyte, and most servers are never asked.
    const { h3Feature } = await import('./h3-feature.ts')
    reply.header('Cache-Control', keptLong(request.apiKey !== null))
    return send(reply, json(h3Feature(cell)))
  })
}
