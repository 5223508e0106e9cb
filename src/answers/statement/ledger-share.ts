import { groupBy } from '../../base/maps.ts'
import { writeInstant } from '../../base/values/instant.ts'
import { l1Rewards } from '../../catalog/l1/rewards.ts'
import type { Days } from '../../catalog/query/days.ts'
import type { Filters } from '../../catalog/query/filter-values.ts'
import { daysText, type StatementRead } from './statement-read.ts'
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

const keyOf = ({ by }: LedgerShare) => ('account_address' in by ? by.account_address : by.gateway_address)

/** Returns the totals of L1 shares by their series. A series has one account, or all gateways of the same days. */
export async function ledgerTotals(
  read: StatementRead,
  shares: readonly LedgerShare[],
): Promise<(share: LedgerShare) => bigint> {
  const { repository, at, signal } = read
  const totals = new Map<string, bigint>()
  const seriesOf = (share: LedgerShare) =>
    'account_address' in share.by ? `${daysText(share)} ${share.by.account_address}` : daysText(share)
  for (const ofDays of groupBy(shares, seriesOf).values()) {
    const [share] = ofDays
    if (share === undefined) continue
    const days = daysText(share)
    const keys = ofDays.map(keyOf)
    const [filters, groups] =
      'account_address' in share.by
        ? [filtersOfShare(read, share), { groupBy: null, limit: 1 }]
        : [secondsOf(read, share), { groupBy: 'hotspot' as const, limit: keys.length, hotspotKeys: keys }]
    const request = { interval: 'all', tz: 'UTC', ...groups } as const
    const { rows } = await repository.series(l1Rewards, { ...filters }, request, at).read(signal)
    for (const { group, earned } of rows) {
      const name = `${days} ${group ?? keyOf(share)}`
      totals.set(name, (totals.get(name) ?? 0n) + earned)
    }
  }
  return (share) => totals.get(`${daysText(share)} ${keyOf(share)}`) ?? 0n
}

/**
 * Compares the rewards of an L1 share with their total; undefined if both are 0. The range covers whole seconds of the
 * days.
 * Errors: `lake_damaged` if they differ.
 */
export function ledgerTie(
  read: StatementRead,
  share: LedgerShare,
  earned: bigint,
  total: bigint,
): TieOut | undefined {
  const { by } = share
  const account = 'account_address' in by ? by.account_address : null
  if (total !== earned) damaged(keyOf(share), l1Rewards, 'amount', earned, total)
  if (earned === 0n) return undefined
  const { rest: otherColumns, series } = l1Rewards
  const { from, to } = secondsOf(read, share)
  return {
    ...{ network: 'l1', path: `${otherColumns?.path}${series?.path}`, account },
    ...{ from: writeInstant(from * SECOND), to: writeInstant(to * SECOND) },
    ...{ totals: { total_amount: total }, left_out: {}, only_in_totals: 0n, only_here: 0n, earned },
  }
}
