import { isSliceOver, nextSlice } from '../../base/slices.ts'
import { bigintOf } from '../../catalog/column.ts'
import { l1Rewards } from '../../catalog/l1/rewards.ts'
import { dayInZone } from '../../catalog/query/days.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import type { Repository } from '../repository.ts'
import type { BlockPrices } from './ledger-facts.ts'
import { filtersOfShare, type LedgerShare, SECOND } from './ledger-share.ts'
import { type HotspotNames, valueIn } from './names.ts'
import type { RewardRow } from './reward-rows.ts'

const DECIMALS = 8
const columns = ['block', 'transaction_hash', 'time', 'account_address', 'gateway_address', 'amount', 'type']

/** Rewards of a share by block; the day is the day of the block. */
export async function* ledgerRows(
  repository: Repository,
  share: LedgerShare,
  names: HotspotNames,
  prices: BlockPrices,
  tz: string,
  at: Snapshot,
  signal?: AbortSignal,
): AsyncGenerator<readonly RewardRow[]> {
  if (at.table(l1Rewards).rows === 0) return
  const day = dayInZone(tz)
  const list = await repository.whole(
    l1Rewards,
    filtersOfShare(share, tz),
    [...columns, 'source_file'],
    at,
    signal,
  )
  for await (const batch of list.batches()) {
    if (isSliceOver()) await nextSlice(signal)
    const textOf = (name: string, row: number) => {
      const value = valueIn(batch, name, row)
      return value === null ? null : String(value)
    }
    yield Array.from({ length: batch.rows }, (_, row): RewardRow => {
      const earned = bigintOf(valueIn(batch, 'amount', row))
      const block = bigintOf(valueIn(batch, 'block', row))
      const key = textOf('gateway_address', row) ?? ''
      return {
        day: day(bigintOf(valueIn(batch, 'time', row)) * SECOND),
        ...{ key, name: names.get(key) ?? null, network: 'l1', token: 'main', decimals: DECIMALS },
        type: textOf('type', row) ?? '',
        ...{ amounts: { amount: earned }, earned },
        price: prices.get(block) ?? null,
        epoch: null,
        source: textOf('source_file', row) ?? '',
        ...{ account: textOf('account_address', row), block },
        transaction: textOf('transaction_hash', row),
        ...{ isStated: true, isInTotals: false },
      }
    })
  }
}
