import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Resource } from '../../catalog/resource.ts'
import { type JsonObject, writeJson } from '../../derive/json-writer.ts'
import type { RawQuery } from '../../derive/parameter-text.ts'
import { type CheckedQuery, type Operation, querySchema } from '../../derive/query-schema.ts'
import type { Work } from '../../engine/engine.ts'
import type { Snapshot } from '../../lake/snapshot.ts'
import type { Repository } from '../../repository/repository.ts'
import type { Answers } from '../answers/answers.ts'
import { cacheControl } from '../answers/cache-control.ts'
import { heldTag, tagOf } from '../answers/tag.ts'
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
  readonly answers: Answers
}

/** What one request asks, and what it is answered from. */
export interface Asked {
  readonly query: CheckedQuery
  readonly at: Snapshot
  readonly signal: AbortSignal
  /** What a lookup looks for. */
  readonly id: string
}

/** A handler: checks the query before anything is looked up, takes the snapshot once, writes exact JSON. */
export function answering(
  context: RestContext,
  resource: Resource,
  operation: Operation,
  answer: (asked: Asked) => Promise<JsonObject>,
) {
  const { habits, repository, snapshots, answers, requestTimeoutMs } = context
  const check = querySchema(resource, operation, habits.queries)

  /** Finds the answer of one request, or of several that ask for the same. */
  const find = (asked: Omit<Asked, 'signal'>) => async (signal: AbortSignal) => {
    const begun = performance.now()
    const text = writeJson(await answer({ ...asked, signal }), asked.query.integersAsText)
    return {
      body: Buffer.from(text),
      ms: performance.now() - begun,
      work: workText(repository.workFor(signal)),
    }
  }

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const checked = check(request.query as RawQuery)
    const query = { ...checked, filters: withinLookBack(resource, checked.filters, request, reply) }
    const at = await snapshots.of(query.asOf)
    const { id = '' } = request.params as { readonly id?: string }
    const tag = tagOf(resource, [habits.name, operation, id], query, at)
    const headers = {
      'Ledgerlake-Snapshot': at.id,
      ETag: `"${tag}"`,
      'Cache-Control': cacheControl(resource, query, at, request.apiKey !== null),
    }
    const held = heldTag(request.headers['if-none-match'], tag)
    if (held !== undefined) return reply.code(304).headers(headers).header('ETag', held).send()
    const deadline = () => signalOf(reply, requestTimeoutMs)
    const { body, ms, work, from } = await answers.of(tag, deadline, find({ query, at, id }))
    return reply
      .headers(headers)
      .header('Server-Timing', from === 'memory' ? 'memory' : `lake;dur=${ms.toFixed(2)};desc="${work}"`)
      .type('application/json; charset=utf-8')
      .send(body)
  }
}

/** What was read, in words. */
function workText(work: Work | undefined): string {
  const { statements, files } = work ?? { statements: 0, files: 0 }
  return statements === 0 ? 'log and index' : `statements ${statements}, files ${files}`
}
