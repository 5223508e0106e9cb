import { groupBy } from '../../base/maps.ts'
import { formatAmount } from '../../base/values/decimal.ts'
import type { JsonObject } from '../../base/values/json-writer.ts'
import { bigintOf } from '../../catalog/column.ts'
import { l1Rewards } from '../../catalog/l1/rewards.ts'
import type { Days } from '../../catalog/query/days.ts'
import type { Holding } from './holdings.ts'
import { secondsOf } from './ledger-share.ts'
import { type HotspotNames, NO_GATEWAY } from './names.ts'
import { columnsOf, type StatementRead } from './statement-read.ts'
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
  days: Days,
  accounts: ReadonlySet<string>,
): Promise<LedgerSums> {
  const { repository, at, signal } = read
  const sums = new LedgerSums()
  if (at.table(l1Rewards).rows === 0) return sums
  const held = groupBy(holdings, ({ key }) => key)
  const ofGateways = { of: 'gateway_address', keys: [...held.keys()] }
  const columns = ['account_address', 'amount', 'time']
  const filters = { ...secondsOf(read, days) }
  const { lists } = await repository.wholes(l1Rewards, filters, ofGateways, columns, at, signal)
  for await (const { key, batches } of lists) {
    const ranges = (held.get(key) ?? []).map((holding) => secondsOf(read, holding))
    for (const batch of batches) {
      const [paidAccounts, amounts, times] = columnsOf(batch, columns)
      for (let row = 0; row < batch.rows; row += 1) {
        const paid = String(paidAccounts?.at(row) ?? '')
        const time = bigintOf(times?.at(row))
        if (!ranges.some(({ from, to }) => from <= time && time <= to)) continue
        if (!accounts.has(paid)) sums.add(key, paid, bigintOf(amounts?.at(row)))
      }
    }
  }
  return sums
}
