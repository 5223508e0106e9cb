import { type Days, instantsOf } from '../../catalog/query/days.ts'
import type { Filters } from '../../catalog/query/filter-values.ts'

/** In microseconds. */
export const SECOND = 1_000_000n

/** L1 rewards on some days, by paid account or by gateway. */
export interface LedgerShare extends Days {
  readonly by: { readonly account_address: string } | { readonly gateway_address: string }
}

/** The days as whole seconds, for filters of the ledger. */
export function secondsOf(days: Days, tz: string): { readonly from: bigint; readonly to: bigint } {
  const { from, to } = instantsOf(days, tz)
  return { from: (from + SECOND - 1n) / SECOND, to: to / SECOND }
}

export function filtersOfShare({ by, ...days }: LedgerShare, tz: string): Filters {
  return { ...by, ...secondsOf(days, tz) }
}
