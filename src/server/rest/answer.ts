import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Resource } from '../../catalog/resource.ts'
import { type JsonObject, writeJson } from '../../derive/json-writer.ts'
import type { RawQuery } from '../../derive/parameter-text.ts'
import { type CheckedQuery, type Operation, querySchema } from '../../derive/query-schema.ts'
import type { Snapshot } from '../../lake/snapshot.ts'
import type { Repository } from '../../repository/repository.ts'
import type { Gate } from '../gate/gate.ts'
import { withinLookBack } from '../gate/look-back.ts'
import type { Habits } from '../habits/habits.ts'
import { signalOf } from '../request-signal.ts'
import type { ServedSnapshots } from '../served-snapshots.ts'

/** What handlers need: the verbs, the snapshots, and how long an answer may take. */
export interface RestContext {
  readonly repository: Repository
  readonly snapshots: ServedSnapshots
  readonly requestTimeoutMs: number
  readonly habits: Habits
  readonly gate: Gate
}

/** What one request asks, and what it is answered from. */
export interface Asked {
  readonly query: CheckedQuery
  readonly at: Snapshot
  readonly signal: AbortSignal
  readonly request: FastifyRequest
}

/** A handler: checks the query before anything is looked up, takes the snapshot once, writes exact JSON. */
export function answering(
  context: RestContext,
  resource: Resource,
  operation: Operation,
  answer: (asked: Asked) => Promise<JsonObject>,
) {
  const check = querySchema(resource, operation, context.habits.queries)
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const checked = check(request.query as RawQuery)
    const filters = withinLookBack(resource, checked.filters, request, reply)
    const query = { ...checked, filters }
    const at = await context.snapshots.of(query.asOf)
    const body = await answer({ query, at, signal: signalOf(reply, context.requestTimeoutMs), request })
    return reply
      .header('Ledgerlake-Snapshot', at.id)
      .type('application/json; charset=utf-8')
      .send(writeJson(body, query.integersAsText))
  }
}
