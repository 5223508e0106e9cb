import { l1Rewards } from '../catalog/l1/rewards.ts'
import { instantsOf } from '../derive/days.ts'
import { writeInstant } from '../derive/instant.ts'
import type { Snapshot } from '../lake/snapshot.ts'
import type { Repository } from '../repository/repository.ts'
import type { Holding } from './holdings.ts'
import { SECOND, secondsOf } from './ledger-rows.ts'
import { damaged, type TieOut } from './tie-out.ts'

/**
 * Compares what the rewards of L1 of a holding add up to with their series; undefined when neither has any. The day of a
 * reward is that of its block, so the range is that of the days, in whole seconds.
 * Errors: `lake_damaged` when the series is not the sum of the rewards.
 */
export async function ledgerTie(
  repository: Repository,
  holding: Holding,
  earned: bigint,
  tz: string,
  at: Snapshot,
  signal?: AbortSignal,
): Promise<TieOut | undefined> {
  const range = secondsOf(instantsOf(holding, tz))
  const filters = { gateway_address: holding.key, ...range }
  const request = { interval: 'all', tz: 'UTC', groupBy: null, limit: 1 } as const
  const { rows } = await repository.series(l1Rewards, filters, request, at).read(signal)
  const total = rows.reduce((sum, row) => sum + row.earned, 0n)
  if (total !== earned) damaged(holding.key, l1Rewards, 'amount', earned, total)
  if (earned === 0n) return undefined
  const { rest, series } = l1Rewards
  return {
    ...{ network: 'l1', path: `${rest?.path}${series?.path}` },
    ...{ from: writeInstant(range.from * SECOND), to: writeInstant(range.to * SECOND) },
    ...{ totals: { total_amount: total }, left_out: {}, only_in_totals: 0n, only_here: 0n, earned },
  }
}
