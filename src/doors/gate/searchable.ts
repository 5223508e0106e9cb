import type { FastifyReply, FastifyRequest } from 'fastify'
import type { HitsRequest } from '../../answers/search/hit-of-row.ts'
import type { Feature } from '../../catalog/feature.ts'
import type { Filters } from '../../catalog/query/filter-values.ts'
import { searchedTables } from '../../catalog/records/search-hit.ts'
import type { Resource } from '../../catalog/resource.ts'
import { type NarrowedFilters, withinLookBack } from './look-back.ts'

/** The permissions of a client for searches. */
export interface Searcher {
  /** Undefined for all features, if no key is needed. */
  readonly features: readonly Feature[] | undefined
  allowed(resource: Resource, filters: Filters): NarrowedFilters
}

type Searchable = Pick<HitsRequest, 'among' | 'within'>

/** Returns the search targets and filters that a client may use. */
export function searchableBy(resources: readonly Resource[], { features, allowed }: Searcher): Searchable {
  const among = searchedTables(resources, features)
  const filters = new Map(among.map(({ resource }) => [resource, allowed(resource, {}).filters]))
  return { among, within: (resource) => filters.get(resource) ?? {} }
}

/** Returns the search targets and filters of a request's key. */
export function searchableFor(
  resources: readonly Resource[],
  request: FastifyRequest,
  reply: FastifyReply,
): Searchable {
  return searchableBy(resources, {
    features: request.apiKey?.features,
    allowed: (resource, filters) => withinLookBack(resource, filters, request, reply),
  })
}
