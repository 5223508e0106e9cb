import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Resource } from '../../catalog/resource.ts'
import type { FilterValue } from '../../derive/filter-values.ts'
import { writeInstant } from '../../derive/instant.ts'
import { lookBack } from '../../derive/look-back.ts'

type Filters = Readonly<Record<string, FilterValue>>

/** The filters as far as the look-back window of the caller's key lets them reach; a header says what was cut off. */
export function withinLookBack(
  resource: Resource,
  filters: Filters,
  { apiKey }: FastifyRequest,
  reply: FastifyReply,
): Filters {
  const narrowed = lookBack(resource, filters, apiKey?.lookbackDays ?? null, Date.now())
  if (narrowed.from !== undefined) reply.header('Ledgerlake-From', writeInstant(narrowed.from))
  return narrowed.filters
}
