import type { FastifyReply, FastifyRequest } from 'fastify'
import { fullReach, noFilters, type Reach } from '../../answers/unknown/reach.ts'
import { DAY_MICROS } from '../../base/values/epoch-day.ts'
import { writeInstant } from '../../base/values/instant.ts'
import type { Filters } from '../../catalog/query/filter-values.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { ApiKey } from '../../keys/api-key.ts'

/** Filters within the look-back of a key. */
export interface NarrowedFilters {
  readonly filters: Filters
  /** New start of the range in microseconds since 1970; undefined if the range was not cut. */
  readonly from: bigint | undefined
}

export const FROM_HEADER = 'ledgerlake-from'

/** Cuts a range to the key's look-back, in days before today 00:00 UTC. */
export function narrowToLookBack(
  { lookback }: Resource,
  filters: Filters,
  key: ApiKey | null,
): NarrowedFilters {
  const earliest = earliestOf(key)
  if (lookback === undefined || earliest === undefined) return { filters, from: undefined }
  const from = filters[lookback]
  if (typeof from === 'bigint' && from >= earliest) return { filters, from: undefined }
  return { filters: { ...filters, [lookback]: earliest }, from: earliest }
}

/** Does the same for a request, and sets `Ledgerlake-From` if the range was cut. */
export function withinLookBack(
  resource: Resource,
  filters: Filters,
  { apiKey }: FastifyRequest,
  reply: FastifyReply,
): NarrowedFilters {
  const narrowed = narrowToLookBack(resource, filters, apiKey)
  if (narrowed.from !== undefined) reply.header(FROM_HEADER, writeInstant(narrowed.from))
  return narrowed
}

/** Returns the reach of a key: its look-back, and no tables that need a missing feature. */
export function reachOf({ apiKey }: Pick<FastifyRequest, 'apiKey'>): Reach {
  if (apiKey === null) return fullReach
  const earliest = earliestOf(apiKey)
  return ({ rest, lookback }) => {
    if (rest?.needs?.some((need) => !apiKey.features.includes(need))) return undefined
    return lookback === undefined || earliest === undefined ? noFilters : { [lookback]: earliest }
  }
}

/** Equal keys get equal bodies: they have the same features and reach as far back. Empty while no key is needed. */
export function reachTextOf(key: ApiKey | null): string {
  return key === null ? '' : `${key.features} ${earliestOf(key) ?? ''}`
}

function earliestOf(key: ApiKey | null): bigint | undefined {
  const days = key?.lookbackDays ?? null
  if (days === null) return undefined
  const nowMicros = BigInt(Date.now()) * 1000n
  return nowMicros - (nowMicros % DAY_MICROS) - BigInt(days) * DAY_MICROS
}
