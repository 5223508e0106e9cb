import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Reach } from '../../answers/unknown/reach.ts'
import { DAY_MICROS } from '../../base/values/epoch-day.ts'
import { writeInstant } from '../../base/values/instant.ts'
import type { Filters } from '../../catalog/query/filter-values.ts'
import type { Resource } from '../../catalog/resource.ts'

/** Filters within the look-back of a key. */
export interface NarrowedFilters {
  readonly filters: Filters
  /** New start of the range in microseconds since 1970; undefined if the range was not cut. */
  readonly from: bigint | undefined
}

/** Cuts a range to the key's look-back, in days before today 00:00 UTC, and sets `Ledgerlake-From` if it did. */
export function withinLookBack(
  { lookback }: Resource,
  filters: Filters,
  { apiKey }: FastifyRequest,
  reply: FastifyReply,
): NarrowedFilters {
  const earliest = earliestOf(apiKey)
  if (lookback === undefined || earliest === undefined) return { filters, from: undefined }
  const from = filters[lookback]
  if (typeof from === 'bigint' && from >= earliest) return { filters, from: undefined }
  reply.header('Ledgerlake-From', writeInstant(earliest))
  return { filters: { ...filters, [lookback]: earliest }, from: earliest }
}

/** Returns the reach of a request's key: its look-back, and no tables that need a missing feature. */
export function reachOf({ apiKey }: Pick<FastifyRequest, 'apiKey'>): Reach {
  const earliest = earliestOf(apiKey)
  return ({ rest, lookback }) => {
    if (apiKey !== null && rest?.needs?.some((need) => !apiKey.features.includes(need))) return undefined
    return lookback === undefined || earliest === undefined ? {} : { [lookback]: earliest }
  }
}

function earliestOf(apiKey: FastifyRequest['apiKey']): bigint | undefined {
  const days = apiKey?.lookbackDays ?? null
  if (days === null) return undefined
  const nowMicros = BigInt(Date.now()) * 1000n
  return nowMicros - (nowMicros % DAY_MICROS) - BigInt(days) * DAY_MICROS
}
