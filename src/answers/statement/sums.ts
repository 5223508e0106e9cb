import { formatAmount } from '../../base/values/decimal.ts'
import type { JsonObject } from '../../base/values/json-writer.ts'
import { type RewardRow, SCALE, unitOf } from './reward-facts.ts'

const USD_SCALE = 16

class Sum {
  rows = 0
  earned = 0n
  /** Units of 10^-16 USD, for rewards with a price. */
  usd = 0n
  /** Bones without a price. */
  unpriced = 0n

  add(earned: bigint, usd: bigint | null): void {
    this.rows += 1
    this.earned += earned
    if (usd === null) this.unpriced += earned
    else this.usd += usd
  }

  addSum({ rows, earned, usd, unpriced }: Sum): void {
    this.rows += rows
    this.earned += earned
    this.usd += usd
    this.unpriced += unpriced
  }

  /** Amounts as text; `usd` is null if a price is missing. */
  toJson(decimals: number | null): JsonObject {
    const unit = unitOf(decimals)
    const formatted_earned = unit === null ? null : formatAmount(this.earned * unit, SCALE)
    const usd = formatAmount(this.usd, USD_SCALE)
    return {
      ...{ rows: this.rows, earned: String(this.earned), formatted_earned },
      usd: this.unpriced > 0n ? null : usd,
      usd_of_priced: usd,
      earned_without_price: String(this.unpriced),
    }
  }
}

interface TokenSums {
  readonly decimals: number | null
  readonly months: Map<string, Sum>
  readonly unpricedDays: Set<string>
}

/** Earnings by token, total and monthly. Amounts of different tokens are never added. */
export class StatementSums {
  readonly #tokens = new Map<string, TokenSums>()

  /** `usd` are units of 10^-16 USD; null without a price. */
  add({ facts, earned }: RewardRow, usd: bigint | null): void {
    const { token, decimals, month } = facts
    let sums = this.#tokens.get(token)
    if (sums === undefined) {
      sums = { decimals, months: new Map(), unpricedDays: new Set() }
      this.#tokens.set(token, sums)
    }
    let sum = sums.months.get(month)
    if (sum === undefined) {
      sum = new Sum()
      sums.months.set(month, sum)
    }
    sum.add(earned, usd)
    if (earned > 0n && usd === null) sums.unpricedDays.add(facts.day)
  }

  /** Days by token with earnings and no price. */
  get unpriced(): ReadonlyMap<string, readonly string[]> {
    const tokens = sorted(this.#tokens).filter(([, { unpricedDays }]) => unpricedDays.size > 0)
    return new Map(tokens.map(([token, { unpricedDays }]) => [token, [...unpricedDays].sort()]))
  }

  /** Dollars of all tokens; `usd` is null if a price is missing. */
  allTokens(): JsonObject {
    const total = new Sum()
    for (const { months } of this.#tokens.values()) for (const sum of months.values()) total.addSum(sum)
    const { rows, usd = null, usd_of_priced = null } = total.toJson(null)
    return { rows: rows ?? null, usd, usd_of_priced }
  }

  toJson(): readonly JsonObject[] {
    return sorted(this.#tokens).map(([token, { decimals, months }]) => {
      const total = new Sum()
      for (const sum of months.values()) total.addSum(sum)
      return {
        token,
        decimals,
        ...total.toJson(decimals),
        months: sorted(months).map(([month, sum]) => ({ month, ...sum.toJson(decimals) })),
      }
    })
  }
}

/** Entries by name. */
export function sorted<T>(map: ReadonlyMap<string, T>): readonly (readonly [string, T])[] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1))
}
