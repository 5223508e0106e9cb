import type { Resource } from '../catalog/resource.ts'
import { DAY_MICROS } from './epoch-day.ts'
import type { Filters } from './filter-values.ts'

export interface Narrowed {
  readonly filters: Filters
  /** Where the range begins now, microseconds since 1970; undefined when nothing was cut off. */
  readonly from: bigint | undefined
}

/**
 * Keeps a range from reaching further back than so many days before the day, in UTC, that `nowMs` lies in.
 * Resources whose declaration names no such filter are left alone; `days` null is no limit.
 */
export function lookBack(
  { lookback }: Resource,
  filters: Filters,
  days: number | null,
  nowMs: number,
): Narrowed {
  if (lookback === undefined || days === null) return { filters, from: undefined }
  const nowMicros = BigInt(nowMs) * 1000n
  const earliest = nowMicros - (nowMicros % DAY_MICROS) - BigInt(days) * DAY_MICROS
  const from = filters[lookback]
  if (typeof from === 'bigint' && from >= earliest) return { filters, from: undefined }
  return { filters: { ...filters, [lookback]: earliest }, from: earliest }
}
