import { isSliceOver, nextSlice } from '../../base/slices.ts'
import { formatAmount } from '../../base/values/decimal.ts'
import type { JsonObject } from '../../base/values/json-writer.ts'
import { bigintOf } from '../../catalog/column.ts'
import { l1Rewards } from '../../catalog/l1/rewards.ts'
import type { Holding } from './holdings.ts'
import { filtersOfShare } from './ledger-share.ts'
import { type HotspotNames, NO_GATEWAY } from './names.ts'
import { mapRows, type StatementRead } from './statement-read.ts'
import { sorted } from './sums.ts'

const DECIMALS = 8

/** Number and sum of rewards, in bones. */
class Paid {
  rows = 0
  earned = 0n
  readonly gateways = new Set<string>()

  add(gateway: string, earned: bigint): void {
    this.rows += 1
    this.earned += earned
    this.gateways.add(gateway)
  }

  get record(): JsonObject {
    const { rows, earned } = this
    return { rows, earned: String(earned), formatted_earned: formatAmount(earned, DECIMALS) }
  }
}

/** Sums L1 rewards by gateway and account. */
export class LedgerSums {
  readonly total = new Paid()
  readonly #gateways = new Map<string, Paid>()
  readonly #accounts = new Map<string, Paid>()

  /** Adds a reward; an empty text is a missing gateway or account. */
  add(gateway: string, account: string, earned: bigint): void {
    this.total.add(gateway, earned)
    paidOf(this.#gateways, gateway).add(gateway, earned)
    paidOf(this.#accounts, account).add(gateway, earned)
  }

  ofGateway(gateway: string): { readonly rows: number; readonly earned: bigint } {
    return this.#gateways.get(gateway) ?? new Paid()
  }

  /** Sums by account; `isStated` is true if the statement includes them. */
  accounts(isStated: boolean): readonly JsonObject[] {
    return sorted(this.#accounts).map(([account, paid]) => ({
      ...{ account_address: account === '' ? null : account, is_stated: isStated },
      ...{ hotspots: paid.gateways.size, ...paid.record },
    }))
  }

  /** Sums for gateways that are not hotspots of the statement. */
  otherGateways(holdings: readonly Holding[], names: HotspotNames): readonly JsonObject[] {
    const keys = new Set(holdings.map(({ key }) => key))
    return sorted(this.#gateways)
      .filter(([gateway]) => !keys.has(gateway))
      .map(([gateway, paid]) => ({
        gateway_address: gateway === '' ? NO_GATEWAY : gateway,
        hotspot_name: names.get(gateway) ?? null,
        ...paid.record,
      }))
  }
}

function paidOf(paid: Map<string, Paid>, name: string): Paid {
  const sums = paid.get(name) ?? new Paid()
  paid.set(name, sums)
  return sums
}

/** L1 rewards paid to other accounts for the hotspots of a statement, on their days. */
export async function paidToOthers(
  read: StatementRead,
  holdings: readonly Holding[],
  account: string,
): Promise<LedgerSums> {
  const sums = new LedgerSums()
  if (read.at.table(l1Rewards).rows === 0) return sums
  for (const { key, first, last } of holdings) {
    if (isSliceOver()) await nextSlice(read.signal)
    const filters = filtersOfShare({ by: { gateway_address: key }, first, last }, read.tz)
    const rewards = mapRows(read, l1Rewards, filters, ['account_address', 'amount'], (cell) => ({
      paid: String(cell('account_address') ?? ''),
      amount: bigintOf(cell('amount')),
    }))
    for await (const batch of rewards)
      for (const { paid, amount } of batch) if (paid !== account) sums.add(key, paid, amount)
  }
  return sums
}
