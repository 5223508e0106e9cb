import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Resource } from '../../catalog/resource.ts'
import type { JsonObject } from '../../derive/json-writer.ts'
import type { RawQuery } from '../../derive/parameter-text.ts'
import { type CheckedQuery, type Operation, querySchema } from '../../derive/query-schema.ts'
import type { Work } from '../../engine/engine.ts'
import type { Snapshot } from '../../lake/snapshot.ts'
import type { Repository } from '../../repository/repository.ts'
import type { Dialect } from '../dialect/dialect.ts'
import type { Gate } from '../gate/gate.ts'
import { withinLookBack } from '../gate/look-back.ts'
import { cacheControl } from '../reply/cache-control.ts'
import { isHeld } from '../reply/entity-tag.ts'
import type { ReplyCache } from '../reply/reply-cache.ts'
import { json, type Representation, send } from '../reply/representation.ts'
import { tagger } from '../reply/request-tag.ts'
import { signalOf } from '../request-signal.ts'
import type { ServedSnapshots } from '../served-snapshots.ts'

/** What handlers need: the verbs, the snapshots, and how long an answer may take. */
export interface RestContext {
  readonly repository: Repository
  readonly snapshots: ServedSnapshots
  readonly requestTimeoutMs: number
  readonly dialect: Dialect
  readonly gate: Gate
  readonly cache: ReplyCache
}

/** What one request asks, and what it is answered from. */
export interface Asked {
  readonly query: CheckedQuery
  readonly at: Snapshot
  /** What a lookup looks for. */
  readonly id: string
}

/** How one operation is answered. */
export interface Ways {
  /** The answer if nothing has to be waited for, otherwise undefined. */
  readonly atOnce?: (asked: Asked) => JsonObject | undefined
  readonly find: (asked: Asked, signal: AbortSignal) => Promise<JsonObject>
}

const AT_ONCE = 'log and index'

/**
 * A handler: checks the query before anything is looked up, takes the snapshot once, writes exact JSON. What is known at
 * once is sent at once; only what has to be waited for takes a place among the requests under way.
 */
export function answering(context: RestContext, resource: Resource, operation: Operation, ways: Ways) {
  const { dialect, repository, snapshots, cache, gate, requestTimeoutMs } = context
  const check = querySchema(resource, operation, dialect.queries)
  const tagOf = tagger(resource, [dialect.name, operation])
  const cacheControlOf = cacheControl(resource)

  function answerOf(record: JsonObject, { query }: Asked, begun: number, work: string): Representation {
    const timing = `lake;dur=${(performance.now() - begun).toFixed(2)};desc="${work}"`
    return { ...json(record, query.integersAsText), timing }
  }

  /** Finds the answer of one request, or of several that ask for the same. */
  const find = (asked: Asked) => async (signal: AbortSignal) => {
    const begun = performance.now()
    const record = await ways.find(asked, signal)
    return answerOf(record, asked, begun, workText(repository.workFor(signal)))
  }

  function knownOf(asked: Asked): Representation | undefined {
    const begun = performance.now()
    const record = ways.atOnce?.(asked)
    return record && answerOf(record, asked, begun, AT_ONCE)
  }

  /** `signal` is that of a request which has its place already. */
  function answer(
    asked: Asked,
    request: FastifyRequest,
    reply: FastifyReply,
    signal?: AbortSignal,
  ): Promise<void> | undefined {
    const { query, at, id } = asked
    const tag = tagOf(query, at, id)
    if (query.asOf === undefined) request.origin = { at, tag }
    const give = (representation: Representation) => {
      const isForOne = request.apiKey !== null
      reply.headers({ 'Ledgerlake-Snapshot': at.id, 'Cache-Control': cacheControlOf(query, at, isForOne) })
      send(reply, { ...representation, tag })
    }
    // Nothing is looked up for callers who have it.
    const known = isHeld(request, tag) ? json(null) : (knownOf(asked) ?? cache.known(tag))
    if (known !== undefined) {
      give(known)
      return undefined
    }
    if (signal === undefined) gate.enter(reply)
    return cache.found(tag, signal ?? signalOf(reply, requestTimeoutMs), find(asked)).then(give)
  }

  /** A snapshot that has to be read takes a place, and its reading belongs to the time of the answer. */
  async function answerLater(
    query: CheckedQuery,
    id: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    gate.enter(reply)
    const signal = signalOf(reply, requestTimeoutMs)
    const at = await snapshots.of(query.asOf, signal)
    await answer({ query, at, id }, request, reply, signal)
  }

  return (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> | undefined => {
    const checked = check(request.query as RawQuery)
    const query = { ...checked, filters: withinLookBack(resource, checked.filters, request, reply) }
    const { id = '' } = request.params as { readonly id?: string }
    const at = snapshots.known(query.asOf)
    const answered =
      at === undefined ? answerLater(query, id, request, reply) : answer({ query, at, id }, request, reply)
    return answered?.then(() => reply)
  }
}

/** What was read, in words. */
function workText(work: Work | undefined): string {
  const { statements, files } = work ?? { statements: 0, files: 0 }
  return statements === 0 ? AT_ONCE : `statements ${statements}, files ${files}`
}
