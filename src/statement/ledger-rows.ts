import { bigintOf } from '../catalog/column.ts'
import { l1DcBurns } from '../catalog/l1/dc-burns.ts'
import { l1Rewards } from '../catalog/l1/rewards.ts'
import { dayOf, instantsOf } from '../derive/days.ts'
import type { Snapshot } from '../lake/snapshot.ts'
import type { Repository } from '../repository/repository.ts'
import { type Holding, valueIn } from './holdings.ts'
import type { RewardRow } from './reward-rows.ts'

/** In microseconds. */
export const SECOND = 1_000_000n
const DECIMALS = 8

/** Prices of the main token by block, USD times 10^8; null where burns of one block name different ones. */
export type BlockPrices = ReadonlyMap<bigint, bigint | null>

type Span = { readonly from: bigint; readonly to: bigint }

/** Whole seconds in a range of microseconds, as filters of the ledger have them. */
export function secondsOf({ from, to }: Span): Span {
  return { from: (from + SECOND - 1n) / SECOND, to: to / SECOND }
}

function rewardsOf(
  repository: Repository,
  { key, ...days }: Holding,
  tz: string,
  at: Snapshot,
  signal?: AbortSignal,
) {
  const filters = { gateway_address: key, ...secondsOf(instantsOf(days, tz)) }
  return repository.whole(l1Rewards, filters, ['block', 'time', 'amount', 'type', 'source_file'], at, signal)
}

/** The price in each block that rewarded the holdings and in which Data Credits were burned. */
export async function blockPrices(
  repository: Repository,
  holdings: readonly Holding[],
  tz: string,
  at: Snapshot,
  signal?: AbortSignal,
): Promise<BlockPrices> {
  const prices = new Map<bigint, bigint | null>()
  if (at.table(l1Rewards).rows === 0) return prices
  const blocks = new Set<bigint>()
  let times: Span | undefined
  for (const holding of holdings) {
    const list = await rewardsOf(repository, holding, tz, at, signal)
    for await (const batch of list.batches())
      for (let row = 0; row < batch.rows; row += 1) {
        const time = bigintOf(valueIn(batch, 'time', row))
        blocks.add(bigintOf(valueIn(batch, 'block', row)))
        times = {
          from: times === undefined || time < times.from ? time : times.from,
          to: times === undefined || time > times.to ? time : times.to,
        }
      }
  }
  if (times === undefined) return prices
  const burns = await repository.whole(l1DcBurns, { ...times }, ['block', 'oracle_price'], at, signal)
  for await (const batch of burns.batches()) {
    signal?.throwIfAborted()
    for (let row = 0; row < batch.rows; row += 1) {
      const [block, price] = [
        bigintOf(valueIn(batch, 'block', row)),
        bigintOf(valueIn(batch, 'oracle_price', row)),
      ]
      if (price === 0n || !blocks.has(block)) continue
      const known = prices.get(block)
      prices.set(block, known === undefined || known === price ? price : null)
    }
  }
  return prices
}

/** Rewards that the ledger paid for a hotspot; the day of one is that of its block. */
export async function* ledgerRows(
  repository: Repository,
  holding: Holding,
  prices: BlockPrices,
  tz: string,
  at: Snapshot,
  signal?: AbortSignal,
): AsyncGenerator<readonly RewardRow[]> {
  if (at.table(l1Rewards).rows === 0) return
  const day = dayOf(tz)
  const list = await rewardsOf(repository, holding, tz, at, signal)
  for await (const batch of list.batches()) {
    signal?.throwIfAborted()
    yield Array.from({ length: batch.rows }, (_, row): RewardRow => {
      const earned = bigintOf(valueIn(batch, 'amount', row))
      return {
        day: day(bigintOf(valueIn(batch, 'time', row)) * SECOND),
        ...{ key: holding.key, name: holding.name, network: 'l1', token: 'main', decimals: DECIMALS },
        type: String(valueIn(batch, 'type', row)),
        ...{ amounts: { amount: earned }, earned },
        price: prices.get(bigintOf(valueIn(batch, 'block', row))) ?? null,
        epoch: null,
        source: String(valueIn(batch, 'source_file', row)),
        ...{ isStated: true, isInTotals: false },
      }
    })
  }
}
