import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Resource } from '../../catalog/resource.ts'
import { DAY_MICROS } from '../../derive/epoch-day.ts'
import type { Filters } from '../../derive/filter-values.ts'
import { writeInstant } from '../../derive/instant.ts'

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
  const days = apiKey?.lookbackDays ?? null
  if (lookback === undefined || days === null) return { filters, from: undefined }
  const nowMicros = BigInt(Date.now()) * 1000n
  const earliest = nowMicros - (nowMicros % DAY_MICROS) - BigInt(days) * DAY_MICROS
  const from = filters[lookback]
  if (typeof from === 'bigint' && from >= earliest) return { filters, from: undefined }
  reply.header('Ledgerlake-From', writeInstant(earliest))
  return { filters: { ...filters, [lookback]: earliest }, from: earliest }
}
