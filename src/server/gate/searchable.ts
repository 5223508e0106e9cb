import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Resource } from '../../catalog/resource.ts'
import type { Filters } from '../../derive/filter-values.ts'
import { searchedBy } from '../../derive/search-hit.ts'
import type { HitsRequest } from '../../repository/hit-of-row.ts'
import { withinLookBack } from './look-back.ts'

/** What the caller of a request may find, and how far back: everything where no key is needed. */
export function searchable(
  resources: readonly Resource[],
  request: FastifyRequest,
  reply: FastifyReply,
): Pick<HitsRequest, 'among' | 'within'> {
  const among = searchedBy(resources, request.apiKey?.features)
  const filters = new Map<Resource, Filters>(
    among.map(({ resource }) => [resource, withinLookBack(resource, {}, request, reply).filters]),
  )
  return { among, within: (resource) => filters.get(resource) ?? {} }
}
