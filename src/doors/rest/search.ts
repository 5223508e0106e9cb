import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { HitsRequest } from '../../answers/search/hit-of-row.ts'
import type { RawQuery } from '../../base/parameter-text.ts'
import { unlessGone } from '../../base/unless-gone.ts'
import { hitsRecord } from '../../catalog/records/search-hit.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { searchPath, searchQuery } from '../contract/search-query.ts'
import { searchableFor } from '../gate/searchable.ts'
import { readingLog, workOf } from '../gate/work-of.ts'
import { signalFor } from '../http/request-signal.ts'
import { keptAs } from '../reply/cache-control.ts'
import { isHeld } from '../reply/entity-tag.ts'
import { json, type Representation, send } from '../reply/representation.ts'
import { searchTag } from '../reply/request-tag.ts'
import type { RestContext } from './context.ts'
import { timingOf } from './server-timing.ts'

/** A search that one request asked for, and the snapshot that it names. */
interface Asked {
  readonly wanted: HitsRequest
  readonly asOf: string | undefined
}

/** GET `<prefix>/search`: what has a text, or begins with it, of the kinds that the caller may read. */
export function addSearchRoute(
  server: FastifyInstance,
  prefix: string,
  resources: readonly Resource[],
  context: RestContext,
  refusal: string,
): void {
  const { repository, snapshots, gate, cache, requestTimeoutMs, dialect, basePath } = context
  const before = basePath + prefix

  async function find({ wanted }: Asked, at: Snapshot, signal: AbortSignal) {
    const begun = performance.now()
    const { by: path } = repository.hits.estimate(wanted, at)
    const found = await repository.hits.find(wanted, at, signal)
    return {
      ...json(hitsRecord(wanted.q, found, before)),
      timing: timingOf(begun, path, repository.workFor(signal)),
    }
  }

  function answer(
    asked: Asked,
    at: Snapshot,
    request: FastifyRequest,
    reply: FastifyReply,
    signal: AbortSignal,
    isInTurn = false,
  ): Promise<void> | undefined {
    const { wanted, asOf } = asked
    const tag = searchTag(wanted, before, at)
    if (asOf === undefined) request.origin = { at, tag }
    const give = (representation: Representation): void => {
      const kept = keptAs(asOf, request.apiKey !== null)
      reply.headers({ 'Ledgerlake-Snapshot': at.id, 'Cache-Control': kept })
      send(reply, { ...representation, tag })
    }
    // For a caller who has it already, nothing is looked up.
    const known = isHeld(request, tag) ? json(null) : cache.known(tag)
    if (known !== undefined) {
      give(known)
      return undefined
    }
    const again = async (error: unknown) => {
      const newer = await unlessGone(snapshots.insteadOf(at, asOf, error), signal)
      await answer(asked, newer, request, reply, signal, true)
    }
    const look = () => cache.found(tag, signal, (shared) => find(asked, at, shared)).then(give, again)
    return isInTurn
      ? look()
      : gate.inTurn(reply, workOf('search', repository.hits.estimate(wanted, at)), signal, look)
  }

  server.get(prefix + searchPath, gate.route([], { refusal }), async (request, reply) => {
    const { q, asOf } = searchQuery(request.query as RawQuery, dialect.queries.refusesUnknown)
    const asked = { wanted: { q, ...searchableFor(resources, request, reply) }, asOf }
    gate.enter(reply)
    const signal = signalFor(reply, requestTimeoutMs)
    const at =
      snapshots.known(asOf) ??
      (await gate.inTurn(reply, readingLog, signal, () => snapshots.of(asOf, signal)))
    await answer(asked, at, request, reply, signal)
    return reply
  })
}
