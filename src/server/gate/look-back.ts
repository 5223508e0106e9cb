import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Resource } from '../../catalog/resource.ts'
import type { Filters } from '../../derive/filter-values.ts'
import { writeInstant } from '../../derive/instant.ts'
import { lookBack, type Narrowed } from '../../derive/look-back.ts'

/** Narrows filters to the look-back window of the caller's key; a header says from when on there are answers. */
export function withinLookBack(
  resource: Resource,
  filters: Filters,
  { apiKey }: FastifyRequest,
  reply: FastifyReply,
): Narrowed {
  const narrowed = lookBack(resource, filters, apiKey?.lookbackDays ?? null, Date.now())
  if (narrowed.from !== undefined) reply.header('Ledgerlake-From', writeInstant(narrowed.from))
  return narrowed
}
