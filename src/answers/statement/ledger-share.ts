import { writeInstant } from '../../base/values/instant.ts'
import { l1Rewards } from '../../catalog/l1/rewards.ts'
import type { Days } from '../../catalog/query/days.ts'
import type { Filters } from '../../catalog/query/filter-values.ts'
import type { StatementRead } from './statement-read.ts'
import { damaged, type TieOut } from './tie-out.ts'

/** In microseconds. */
export const SECOND = 1_000_000n

/** L1 rewards on some days, by paid account or by gateway. */
export interface LedgerShare extends Days {
  readonly by: { readonly account_address: string } | { readonly gateway_address: string }
}

/** The days as whole seconds, for filters of the ledger. */
export function secondsOf(
  { instantsOf }: StatementRead,
  days: Days,
): { readonly from: bigint; readonly to: bigint } {
  const { from, to } = instantsOf(days)
  return { from: (from + SECOND - 1n) / SECOND, to: to / SECOND }
}

export function filtersOfShare(read: StatementRead, { by, ...days }: LedgerShare): Filters {
  return { ...by, ...secondsOf(read, days) }
}

/**
 * Compares the rewards of an L1 share with their series; undefined if both are empty. The range covers whole seconds
 * of the days.
 * Errors: `lake_damaged` if they differ.
 */
export async function ledgerTie(
  read: StatementRead,
  share: LedgerShare,
  earned: bigint,
): Promise<TieOut | undefined> {
  const request = { interval: 'all', tz: 'UTC', groupBy: null, limit: 1 } as const
  const { repository, at, signal } = read
  const { rows } = await repository.series(l1Rewards, filtersOfShare(read, share), request, at).read(signal)
  const total = Array.from(rows).reduce((sum, row) => sum + row.earned, 0n)
  const { by } = share
  const account = 'account_address' in by ? by.account_address : null
  if (total !== earned) damaged(Object.values(by).join(), l1Rewards, 'amount', earned, total)
  if (earned === 0n) return undefined
  const { rest: otherColumns, series } = l1Rewards
  const { from, to } = secondsOf(read, share)
  return {
    ...{ network: 'l1', path: `${otherColumns?.path}${series?.path}`, account },
    ...{ from: writeInstant(from * SECOND), to: writeInstant(to * SECOND) },
    ...{ totals: { total_amount: total }, left_out: {}, only_in_totals: 0n, only_here: 0n, earned },
  }
}
