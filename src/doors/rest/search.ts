import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { HitsRequest } from '../../answers/search/hit-of-row.ts'
import { unlessGone } from '../../base/unless-gone.ts'
import { hitsRecord } from '../../catalog/records/search-hit.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { searchPath, searchQuery } from '../contract/search-query.ts'
import { searchableFor } from '../gate/searchable.ts'
import { readingLog, workOf } from '../gate/work-of.ts'
import { queryOf } from '../http/request-parameters.ts'
import { signalFor } from '../http/request-signal.ts'
import { pinnedCacheControl } from '../reply/cache-control.ts'
import { isNotModified } from '../reply/entity-tag.ts'
import { jsonBody, type Representation, send } from '../reply/representation.ts'
import { searchTag } from '../reply/request-tag.ts'
import { serverTiming } from '../reply/server-timing.ts'
import type { RestContext } from './context.ts'

interface SearchRequest {
  readonly hits: HitsRequest
  readonly asOf: string | undefined
}

/** Adds GET `<prefix>/search`. */
export function addSearchRoute(
  server: FastifyInstance,
  prefix: string,
  resources: readonly Resource[],
  context: RestContext,
  refusal: string,
): void {
  const { repository, snapshots, gate, cache, requestTimeoutMs, dialect, basePath } = context
  const before = basePath + prefix

  async function find({ hits }: SearchRequest, at: Snapshot, signal: AbortSignal) {
    const begun = performance.now()
    const { by: path } = repository.hits.estimate(hits, at)
    const rows = await repository.hits.find(hits, at, signal)
    return {
      ...jsonBody(hitsRecord(hits.q, rows, before)),
      timing: serverTiming(begun, path, repository.workFor(signal)),
    }
  }

  function answer(
    search: SearchRequest,
    at: Snapshot,
    request: FastifyRequest,
    reply: FastifyReply,
    signal: AbortSignal,
    isInTurn = false,
  ): Promise<void> | undefined {
    const { hits, asOf } = search
    const tag = searchTag(hits, before, at)
    if (asOf === undefined) request.origin = { at, tag }
    const give = (representation: Representation): void => {
      const cacheControl = pinnedCacheControl(asOf, request.apiKey !== null)
      reply.headers({ 'Ledgerlake-Snapshot': at.id, 'Cache-Control': cacheControl })
      send(reply, { ...representation, tag })
    }
    // A 304 needs no read.
    const cached = isNotModified(request, tag) ? jsonBody(null) : cache.get(tag)
    if (cached !== undefined) {
      give(cached)
      return undefined
    }
    const again = async (error: unknown) => {
      const newer = await unlessGone(snapshots.insteadOf(at, asOf, error), signal)
      await answer(search, newer, request, reply, signal, true)
    }
    const look = () => cache.compute(tag, signal, (shared) => find(search, at, shared)).then(give, again)
    return isInTurn
      ? look()
      : gate.inTurn(reply, workOf('search', repository.hits.estimate(hits, at)), signal, look)
  }

  server.get(prefix + searchPath, gate.route([], { refusal }), async (request, reply) => {
    const { q, asOf } = searchQuery(queryOf(request), dialect.queries.refusesUnknown)
    const search = { hits: { q, ...searchableFor(resources, request, reply) }, asOf }
    gate.enter(reply)
    const signal = signalFor(reply, requestTimeoutMs)
    const at =
      snapshots.known(asOf) ??
      (await gate.inTurn(reply, readingLog, signal, () => snapshots.of(asOf, signal)))
    await answer(search, at, request, reply, signal)
    return reply
  })
}
