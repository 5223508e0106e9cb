import { bigintOf } from '../../catalog/column.ts'
import { l1DcBurns } from '../../catalog/l1/dc-burns.ts'
import { l1Rewards } from '../../catalog/l1/rewards.ts'
import { dayInZone } from '../../catalog/query/days.ts'
import { filtersOfShare, type LedgerShare, SECOND } from './ledger-share.ts'
import type { HotspotNames } from './names.ts'
import { type RewardRow, SCALE, toFacts } from './reward-facts.ts'
import { LEDGER_SYMBOL } from './share-tables.ts'
import { mapRows, type StatementRead, textOrNull } from './statement-read.ts'

/** USD prices times 10^8 by block; null if burns of a block disagree. */
type BlockPrices = ReadonlyMap<bigint, bigint | null>

/** Ledger facts of rewards. */
interface LedgerFacts {
  readonly prices: BlockPrices
  /** Gateways that rewards were paid for. */
  readonly gateways: ReadonlySet<string>
}

/** Gateways of rewards, and the prices in their blocks with burns of Data Credits. */
export async function ledgerFacts(read: StatementRead, shares: readonly LedgerShare[]): Promise<LedgerFacts> {
  const prices = new Map<bigint, bigint | null>()
  const gateways = new Set<string>()
  if (read.at.table(l1Rewards).rows === 0) return { prices, gateways }
  const blocks = new Set<bigint>()
  let times: { readonly from: bigint; readonly to: bigint } | undefined
  for (const share of shares) {
    const columns = ['block', 'time', 'gateway_address']
    const rewards = mapRows(read, l1Rewards, filtersOfShare(read, share), columns, (cell) => ({
      block: bigintOf(cell('block')),
      time: bigintOf(cell('time')),
      gateway: String(cell('gateway_address') ?? ''),
    }))
    for await (const batch of rewards)
      for (const { block, time, gateway } of batch) {
        blocks.add(block)
        gateways.add(gateway)
        times = {
          from: times === undefined || time < times.from ? time : times.from,
          to: times === undefined || time > times.to ? time : times.to,
        }
      }
  }
  if (times === undefined) return { prices, gateways }
  const burns = mapRows(read, l1DcBurns, { ...times }, ['block', 'oracle_price'], (cell) => ({
    block: bigintOf(cell('block')),
    price: bigintOf(cell('oracle_price')),
  }))
  for await (const batch of burns)
    for (const { block, price } of batch) {
      if (price === 0n || !blocks.has(block)) continue
      const firstPrice = prices.get(block)
      prices.set(block, firstPrice === undefined || firstPrice === price ? price : null)
    }
  return { prices, gateways }
}

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
  yield* mapRows(read, l1Rewards, filtersOfShare(read, share), columns, (cell): RewardRow => {
    const earned = bigintOf(cell('amount'))
    const block = bigintOf(cell('block'))
    const key = textOrNull(cell('gateway_address')) ?? ''
    const facts = toFacts({
      ...{ day: day(bigintOf(cell('time')) * SECOND), network: 'l1', token: LEDGER_SYMBOL, decimals: SCALE },
      type: textOrNull(cell('type')) ?? '',
      price: prices.get(block) ?? null,
      epoch: null,
      source: textOrNull(cell('source_file')) ?? '',
      ...{ account: textOrNull(cell('account_address')), block },
      transaction: textOrNull(cell('transaction_hash')),
      ...{ isStated: true, isInTotals: false },
    })
    return { facts, key, name: names.get(key) ?? null, amounts: [earned], earned }
  })
}
