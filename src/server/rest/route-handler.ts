import type { FastifyReply, FastifyRequest } from 'fastify'
import { hasEpochs } from '../../catalog/embeddings.ts'
import type { RestOperation } from '../../derive/operations.ts'
import type { RawQuery } from '../../derive/parameter-text.ts'
import { type CheckedQuery, querySchema } from '../../derive/query-schema.ts'
import type { Snapshot } from '../../lake/snapshot.ts'
import type { Repository } from '../../repository/repository.ts'
import type { Dialect } from '../dialect/dialect.ts'
import type { Gate } from '../gate/gate.ts'
import { withinLookBack } from '../gate/look-back.ts'
import { preferred } from '../reply/accept.ts'
import { cacheControl } from '../reply/cache-control.ts'
import { isHeld } from '../reply/entity-tag.ts'
import type { ReplyCache } from '../reply/reply-cache.ts'
import { json, type Representation, send } from '../reply/representation.ts'
import { tagger } from '../reply/request-tag.ts'
import { signalOf } from '../request-signal.ts'
import type { ServedSnapshots } from '../served-snapshots.ts'
import { missingIn } from './coverage.ts'
import { type Format, formats } from './formats.ts'
import { type Found, handlerOf, type RestRequest, type Search } from './handlers.ts'
import { knownNames } from './known-names.ts'

/** What handlers need: the verbs, the snapshots, and how long an answer may take. */
export interface RestContext {
  readonly repository: Repository
  readonly snapshots: ServedSnapshots
  readonly requestTimeoutMs: number
  readonly dialect: Dialect
  readonly gate: Gate
  readonly cache: ReplyCache
}

/**
 * The route handler of an operation: checks the query before anything is looked up, takes the snapshot once, and replies in
 * the same turn where nothing has to be waited for; only other requests count into the concurrency limit.
 */
export function routeHandler(context: RestContext, operation: RestOperation) {
  const { resource, kind } = operation
  const { dialect, repository, snapshots, cache, gate, requestTimeoutMs } = context
  const check = querySchema(resource, kind, dialect.queries)
  const tagOf = tagger(resource, [dialect.name, kind])
  const cacheControlOf = cacheControl(resource)
  const refuseUnknownNames = dialect.queries.refusesUnknown ? knownNames(resource) : () => {}
  const searchFor = handlerOf(operation, repository, dialect)

  function written(found: Found, format: Format, { query }: RestRequest, begun: number, work: string) {
    const timing = `lake;dur=${(performance.now() - begun).toFixed(2)};desc="${work}"`
    return { ...format.write(found, query.integersAsText), timing }
  }

  /** Finds the reply to one request, or to several that ask for the same. */
  const find = (asked: RestRequest, search: Search, format: Format) => async (signal: AbortSignal) => {
    const begun = performance.now()
    const found = await search.find(signal)
    return written(found, format, asked, begun, workText(search.by, repository.workFor(signal)))
  }

  function findAtOnce(asked: RestRequest, { atOnce, by = '' }: Search, format: Format) {
    const begun = performance.now()
    const found = atOnce?.()
    return found && written(found, format, asked, begun, by)
  }

  /** `signal` is given where the request has entered the concurrency limit already. */
  function answer(
    asked: RestRequest,
    request: FastifyRequest,
    reply: FastifyReply,
    signal?: AbortSignal,
  ): Promise<void> | undefined {
    const { query, at, id } = asked
    refuseUnknownNames(query.filters, at.table(resource))
    const format = preferred(reply, formats)
    const tag = tagOf(query, at, id, format.type)
    if (query.asOf === undefined) request.origin = { at, tag }
    const missing =
      kind === 'totals' ? missingIn(repository.coverages, resource, query.filters, at) : undefined
    const give = (representation: Representation) => {
      const isForOne = request.apiKey !== null
      if (missing !== undefined) reply.header('Ledgerlake-Missing', missing)
      reply.headers({ 'Ledgerlake-Snapshot': at.id, 'Cache-Control': cacheControlOf(query, at, isForOne) })
      send(reply, { ...representation, tag })
    }
    // For a caller who has it already, nothing is looked up.
    if (isHeld(request, tag)) {
      give(json(null))
      return undefined
    }
    const search = searchFor(asked)
    const known = findAtOnce(asked, search, format) ?? cache.known(tag)
    if (known !== undefined) {
      give(known)
      return undefined
    }
    if (signal === undefined) gate.enter(reply)
    return cache
      .found(tag, signal ?? signalOf(reply, requestTimeoutMs), find(asked, search, format))
      .then(give)
  }

  function isCoverageKnown(at: Snapshot): boolean {
    const isTold = kind === 'totals' && hasEpochs(resource)
    return !isTold || repository.coverages.known(resource, at) !== undefined
  }

  /** For a snapshot or manifests that have to be read first: reading them counts into the concurrency limit and the deadline. */
  async function answerLater(
    query: CheckedQuery,
    id: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    gate.enter(reply)
    const signal = signalOf(reply, requestTimeoutMs)
    const at = await snapshots.of(query.asOf, signal)
    // Where it cannot be read, the header says so.
    if (!isCoverageKnown(at)) await repository.coverages.read(at, signal).catch(() => {})
    await answer({ query, at, id }, request, reply, signal)
  }

  return (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> | undefined => {
    const checked = check(request.query as RawQuery)
    const { filters, from: fromServed } = withinLookBack(resource, checked.filters, request, reply)
    const query = { ...checked, filters, fromServed }
    const { id = '' } = request.params as { readonly id?: string }
    const at = snapshots.known(query.asOf)
    const answered =
      at === undefined || !isCoverageKnown(at)
        ? answerLater(query, id, request, reply)
        : answer({ query, at, id }, request, reply)
    return answered?.then(() => reply)
  }
}

/** Who answered, and what was read for it. */
function workText(known: string | undefined, work: ReturnType<Repository['workFor']>): string {
  const { by = known, statements, files } = work
  return [by, ...(statements === 0 ? [] : [`statements ${statements}`, `files ${files}`])].join(', ')
}
