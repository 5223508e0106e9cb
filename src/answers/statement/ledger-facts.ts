import { isSliceOver, nextSlice } from '../../base/slices.ts'
import { bigintOf } from '../../catalog/column.ts'
import { l1DcBurns } from '../../catalog/l1/dc-burns.ts'
import { l1Rewards } from '../../catalog/l1/rewards.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import type { Repository } from '../repository.ts'
import { filtersOfShare, type LedgerShare } from './ledger-share.ts'
import { valueIn } from './names.ts'

/** USD prices times 10^8 by block; null if burns of a block disagree. */
export type BlockPrices = ReadonlyMap<bigint, bigint | null>

/** Ledger facts of rewards. */
export interface LedgerFacts {
  readonly prices: BlockPrices
  /** Gateways that rewards were paid for. */
  readonly gateways: ReadonlySet<string>
}

/** Gateways of rewards, and the prices in their blocks with burns of Data Credits. */
export async function ledgerFacts(
  repository: Repository,
  shares: readonly LedgerShare[],
  tz: string,
  at: Snapshot,
  signal?: AbortSignal,
): Promise<LedgerFacts> {
  const prices = new Map<bigint, bigint | null>()
  const gateways = new Set<string>()
  if (at.table(l1Rewards).rows === 0) return { prices, gateways }
  const blocks = new Set<bigint>()
  let times: { readonly from: bigint; readonly to: bigint } | undefined
  for (const share of shares) {
    const columns = ['block', 'time', 'gateway_address']
    const list = await repository.whole(l1Rewards, filtersOfShare(share, tz), columns, at, signal)
    for await (const batch of list.batches()) {
      if (isSliceOver()) await nextSlice(signal)
      for (let row = 0; row < batch.rows; row += 1) {
        const time = bigintOf(valueIn(batch, 'time', row))
        blocks.add(bigintOf(valueIn(batch, 'block', row)))
        gateways.add(String(valueIn(batch, 'gateway_address', row) ?? ''))
        times = {
          from: times === undefined || time < times.from ? time : times.from,
          to: times === undefined || time > times.to ? time : times.to,
        }
      }
    }
  }
  if (times === undefined) return { prices, gateways }
  const burns = await repository.whole(l1DcBurns, { ...times }, ['block', 'oracle_price'], at, signal)
  for await (const batch of burns.batches()) {
    if (isSliceOver()) await nextSlice(signal)
    for (let row = 0; row < batch.rows; row += 1) {
      const [block, price] = [
        bigintOf(valueIn(batch, 'block', row)),
        bigintOf(valueIn(batch, 'oracle_price', row)),
      ]
      if (price === 0n || !blocks.has(block)) continue
      const firstPrice = prices.get(block)
      prices.set(block, firstPrice === undefined || firstPrice === price ? price : null)
    }
  }
  return { prices, gateways }
}
