import { bigintOf } from '../../catalog/column.ts'
import { l1Rewards } from '../../catalog/l1/rewards.ts'
import { dayInZone } from '../../catalog/query/days.ts'
import type { BlockPrices } from './ledger-facts.ts'
import { filtersOfShare, type LedgerShare, SECOND } from './ledger-share.ts'
import type { HotspotNames } from './names.ts'
import type { RewardRow } from './reward-rows.ts'
import { mapRows, type StatementRead, textOrNull } from './statement-read.ts'

const DECIMALS = 8
const columns = [
  ...['block', 'transaction_hash', 'time', 'account_address', 'gateway_address', 'amount', 'type'],
  'source_file',
]

/** Rewards of a share by block; the day is the day of the block. */
export async function* ledgerRows(
  read: StatementRead,
  share: LedgerShare,
  names: HotspotNames,
  prices: BlockPrices,
): AsyncGenerator<readonly RewardRow[]> {
  if (read.at.table(l1Rewards).rows === 0) return
  const day = dayInZone(read.tz)
  yield* mapRows(read, l1Rewards, filtersOfShare(share, read.tz), columns, (cell): RewardRow => {
    const earned = bigintOf(cell('amount'))
    const block = bigintOf(cell('block'))
    const key = textOrNull(cell('gateway_address')) ?? ''
    return {
      day: day(bigintOf(cell('time')) * SECOND),
      ...{ key, name: names.get(key) ?? null, network: 'l1', token: 'main', decimals: DECIMALS },
      type: textOrNull(cell('type')) ?? '',
      ...{ amounts: { amount: earned }, earned },
      price: prices.get(block) ?? null,
      epoch: null,
      source: textOrNull(cell('source_file')) ?? '',
      ...{ account: textOrNull(cell('account_address')), block },
      transaction: textOrNull(cell('transaction_hash')),
      ...{ isStated: true, isInTotals: false },
    }
  })
}
