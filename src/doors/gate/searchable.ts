import type { FastifyReply, FastifyRequest } from 'fastify'
import type { HitsRequest } from '../../answers/search/hit-of-row.ts'
import type { Feature } from '../../catalog/feature.ts'
import type { Filters } from '../../catalog/query/filter-values.ts'
import { searchedBy } from '../../catalog/records/search-hit.ts'
import type { Resource } from '../../catalog/resource.ts'
import { type Narrowed, withinLookBack } from './look-back.ts'

/** How far a caller may search. */
export interface Searcher {
  /** Undefined where no key is needed: everything. */
  readonly features: readonly Feature[] | undefined
  allowed(resource: Resource, filters: Filters): Narrowed
}

type Searchable = Pick<HitsRequest, 'among' | 'within'>

/** What a caller may find, and how far back. */
export function searchableBy(resources: readonly Resource[], { features, allowed }: Searcher): Searchable {
  const among = searchedBy(resources, features)
  const filters = new Map(among.map(({ resource }) => [resource, allowed(resource, {}).filters]))
  return { among, within: (resource) => filters.get(resource) ?? {} }
}

/** What the caller of a request may find, and how far back: everything where no key is needed. */
export function searchable(
  resources: readonly Resource[],
  request: FastifyRequest,
  reply: FastifyReply,
): Searchable {
  return searchableBy(resources, {
    features: request.apiKey?.features,
    allowed: (resource, filters) => withinLookBack(resource, filters, request, reply),
  })
}
