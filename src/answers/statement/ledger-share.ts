import type { Days } from '../../catalog/query/days.ts'
import { instantsOf } from '../../catalog/query/days.ts'
import type { Filters } from '../../catalog/query/filter-values.ts'

/** In microseconds. */
export const SECOND = 1_000_000n

/** Rewards of L1 on some days: those that an account was paid, or those that were paid for a gateway. */
export interface LedgerShare extends Days {
  readonly by: { readonly account_address: string } | { readonly gateway_address: string }
}

/** Whole seconds of some days, as filters of the ledger have them. */
export function secondsOf(days: Days, tz: string): { readonly from: bigint; readonly to: bigint } {
  const { from, to } = instantsOf(days, tz)
  return { from: (from + SECOND - 1n) / SECOND, to: to / SECOND }
}

/** The filters of a share of the ledger. */
export function filtersOf({ by, ...days }: LedgerShare, tz: string): Filters {
  return { ...by, ...secondsOf(days, tz) }
}
