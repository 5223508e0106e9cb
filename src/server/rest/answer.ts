import type { FastifyReply, FastifyRequest } from 'fastify'
import { type JsonObject, writeJson } from '../../derive/json-writer.ts'
import type { RawQuery } from '../../derive/parameter-text.ts'
import type { CheckedQuery } from '../../derive/query-schema.ts'
import type { Snapshot } from '../../lake/snapshot.ts'
import type { Repository } from '../../repository/repository.ts'
import type { Habits } from '../habits/habits.ts'
import { signalOf } from '../request-signal.ts'
import type { ServedSnapshots } from '../served-snapshots.ts'

/** What handlers need: the verbs, the snapshots, and how long an answer may take. */
export interface RestContext {
  readonly repository: Repository
  readonly snapshots: ServedSnapshots
  readonly requestTimeoutMs: number
  readonly habits: Habits
}

export type Answer = (
  query: CheckedQuery,
  at: Snapshot,
  signal: AbortSignal,
  request: FastifyRequest,
) => Promise<JsonObject>

/** A handler: checks the query before anything is looked up, takes the snapshot once, writes exact JSON. */
export function answering(context: RestContext, check: (raw: RawQuery) => CheckedQuery, answer: Answer) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const query = check(request.query as RawQuery)
    const at = await context.snapshots.of(query.asOf)
    const body = await answer(query, at, signalOf(reply, context.requestTimeoutMs), request)
    return reply
      .header('Ledgerlake-Snapshot', at.id)
      .type('application/json; charset=utf-8')
      .send(writeJson(body, query.integersAsText))
  }
}
