import type { FastifyInstance } from 'fastify'
import { ServiceError } from '../errors.ts'
import { sendError } from './error-reply.ts'
import { json, send } from './reply/representation.ts'
import type { ServedSnapshots } from './served-snapshots.ts'

/** `/healthz`, and `/up` for clients that know it by that name: the process lives. `/readyz`: it has a snapshot and is not going away. */
export function addHealthRoutes(
  server: FastifyInstance,
  snapshots: ServedSnapshots,
  isDraining: () => boolean,
): void {
  for (const url of ['/healthz', '/up']) {
    server.get(url, async (_request, reply) => send(reply, json({ status: 'ok' })))
  }
  server.get('/readyz', async (_request, reply) => {
    const snapshot = snapshots.current()
    if (isDraining()) return sendError(new ServiceError('not_ready', 'The server is about to stop.'), reply)
    if (snapshot === undefined) {
      return sendError(new ServiceError('not_ready', 'Nothing has been ingested yet.'), reply)
    }
    return send(reply, json({ status: 'ready', snapshot: snapshot.id }))
  })
}
