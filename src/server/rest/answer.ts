import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Resource } from '../../catalog/resource.ts'
import { type JsonObject, writeJson } from '../../derive/json-writer.ts'
import type { RawQuery } from '../../derive/parameter-text.ts'
import { type CheckedQuery, type Operation, querySchema } from '../../derive/query-schema.ts'
import type { Snapshot } from '../../lake/snapshot.ts'
import type { Repository } from '../../repository/repository.ts'
import type { Answer, Answers } from '../answers/answers.ts'
import { cacheControl } from '../answers/cache-control.ts'
import { heldTag, tagger } from '../answers/tag.ts'
import type { Dialect } from '../dialect/dialect.ts'
import type { Gate } from '../gate/gate.ts'
import { withinLookBack } from '../gate/look-back.ts'
import { signalOf } from '../request-signal.ts'
import type { ServedSnapshots } from '../served-snapshots.ts'

/** What handlers need: the verbs, the snapshots, and how long an answer may take. */
export interface RestContext {
  readonly repository: Repository
  readonly snapshots: ServedSnapshots
  readonly requestTimeoutMs: number
  readonly dialect: Dialect
  readonly gate: Gate
  readonly answers: Answers
}

/** What one request asks, and what it is answered from. */
export interface Asked {
  readonly query: CheckedQuery
  readonly at: Snapshot
  /** What a lookup looks for. */
  readonly id: string
}

/** How one request is answered. */
export interface Way {
  /** The answer if nothing has to be waited for, otherwise undefined; and who gives it. */
  readonly atOnce?: () => JsonObject | undefined
  readonly by?: string
  readonly find: (signal: AbortSignal) => Promise<JsonObject>
}

/**
 * A handler: checks the query before anything is looked up, takes the snapshot once, writes exact JSON. What is known at
 * once is sent at once; only what has to be waited for takes a place among the requests under way.
 */
export function answering(
  context: RestContext,
  resource: Resource,
  operation: Operation,
  wayOf: (asked: Asked) => Way,
) {
  const { dialect, repository, snapshots, answers, gate, requestTimeoutMs } = context
  const check = querySchema(resource, operation, dialect.queries)
  const tagOf = tagger(resource, [dialect.name, operation])
  const cacheControlOf = cacheControl(resource)

  function answerOf(record: JsonObject, { query }: Asked, begun: number, work: string): Answer {
    const body = writeJson(record, query.integersAsText)
    return { body, timing: `lake;dur=${(performance.now() - begun).toFixed(2)};desc="${work}"` }
  }

  /** Finds the answer of one request, or of several that ask for the same. */
  const find = (asked: Asked, way: Way) => async (signal: AbortSignal) => {
    const begun = performance.now()
    const record = await way.find(signal)
    return answerOf(record, asked, begun, workText(way.by, repository.workFor(signal)))
  }

  function knownOf(asked: Asked, { atOnce, by = '' }: Way): Answer | undefined {
    const begun = performance.now()
    const record = atOnce?.()
    return record && answerOf(record, asked, begun, by)
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
    const headers = {
      'Ledgerlake-Snapshot': at.id,
      ETag: `"${tag}"`,
      'Cache-Control': cacheControlOf(query, at, request.apiKey !== null),
    }
    const send = ({ body, timing }: Answer) => {
      reply.headers(headers).header('Server-Timing', timing).type(JSON_TYPE).send(body)
    }
    const held = heldTag(request.headers['if-none-match'], tag)
    if (held !== undefined) {
      reply.code(304).headers(headers).header('ETag', held).send()
      return undefined
    }
    const way = wayOf(asked)
    const known = knownOf(asked, way) ?? answers.known(tag)
    if (known !== undefined) {
      send(known)
      return undefined
    }
    if (signal === undefined) gate.enter(reply)
    return answers.of(tag, () => signal ?? signalOf(reply, requestTimeoutMs), find(asked, way)).then(send)
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

const JSON_TYPE = 'application/json; charset=utf-8'

/** Who answered, and what was read for it. */
function workText(known: string | undefined, work: ReturnType<Repository['workFor']>): string {
  const { by = known, statements, files } = work
  return [by, ...(statements === 0 ? [] : [`statements ${statements}`, `files ${files}`])].join(', ')
}
