import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Reach } from '../../answers/rows/unknown.ts'
import { DAY_MICROS } from '../../base/values/epoch-day.ts'
import { writeInstant } from '../../base/values/instant.ts'
import type { Filters } from '../../catalog/query/filter-values.ts'
import type { Resource } from '../../catalog/resource.ts'

/** Filters as far as a key lets them reach. */
export interface Narrowed {
  readonly filters: Filters
  /** Where the range begins now, microseconds since 1970; undefined when nothing was cut off. */
  readonly from: bigint | undefined
}

/**
 * Keeps a range from reaching further back than the days that the caller's key may look back, counted from the begin of
 * today in UTC; a header says from when on there are answers. Resources without such a filter are left alone.
 */
export function withinLookBack(
  { lookback }: Resource,
  filters: Filters,
  { apiKey }: FastifyRequest,
  reply: FastifyReply,
): Narrowed {
  const earliest = earliestOf(apiKey)
  if (lookback === undefined || earliest === undefined) return { filters, from: undefined }
  const from = filters[lookback]
  if (typeof from === 'bigint' && from >= earliest) return { filters, from: undefined }
  reply.header('Ledgerlake-From', writeInstant(earliest))
  return { filters: { ...filters, [lookback]: earliest }, from: earliest }
}

/** Reach of a request's key: its look-back, without the tables that need a feature it lacks. */
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
