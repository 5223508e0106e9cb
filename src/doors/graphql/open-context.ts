import type { FastifyReply } from 'fastify'
import { unlessGone } from '../../base/unless-gone.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { requireFeatures } from '../gate/gate.ts'
import { reachOf, withinLookBack } from '../gate/look-back.ts'
import { searchableFor } from '../gate/searchable.ts'
import type { GraphqlServices } from './graphql-services.ts'
import type { GraphqlContext } from './request/context.ts'

/** The context of a routed query. */
export interface QueryContext extends GraphqlContext {
  /** Returns the snapshot that a field took; undefined if none did. */
  taken(): Promise<Snapshot> | undefined
}

/** `instead` is a newer snapshot for a second try. */
export function openContext(
  { repository, resources, restPrefix, snapshots }: GraphqlServices,
  asOf: string | undefined,
  reply: FastifyReply,
  signal: AbortSignal,
  instead?: Promise<Snapshot>,
): QueryContext {
  const { request } = reply
  let taken = instead
  return {
    ...{ repository, signal, reach: reachOf(request) },
    ...{ capped: [], unknown: [], answeredBy: [], seriesValues: 0 },
    async filtersAt(resource, asked, at) {
      const { dayRanges } = repository
      const filters = asked.days && (await unlessGone(dayRanges.read(resource, asked, at, signal), signal))
      return withinLookBack(resource, filters ?? asked.filters, request, reply)
    },
    searched: () => ({ ...searchableFor(resources, request, reply), prefix: restPrefix }),
    requireFeatures(needs) {
      if (request.apiKey !== null) requireFeatures(request.apiKey, needs)
    },
    snapshot() {
      taken ??= unlessGone(snapshots.of(asOf, signal), signal)
      return taken
    },
    taken: () => taken,
  }
}
