import { formatAmount } from '../../base/values/decimal.ts'
import type { JsonObject } from '../../base/values/json-writer.ts'
import { scaled, usdOf } from './csv.ts'
import type { RewardRow } from './reward-rows.ts'

const USD_SCALE = 16

class Sum {
  rows = 0
  earned = 0n
  /** Units of 10^-16 USD, for rewards with a price. */
  usd = 0n
  /** Bones without a price. */
  unpriced = 0n

  add(row: RewardRow): void {
    const usd = usdOf(row)
    this.rows += 1
    this.earned += row.earned
    if (usd === null) this.unpriced += row.earned
    else this.usd += usd
  }

  /** Amounts as text; `usd` is null if a price is missing. */
  toJson(decimals: number | null): JsonObject {
    const tokens = (bones: bigint) => {
      const units = scaled(bones, decimals)
      return units === null ? null : formatAmount(units, 8)
    }
    const usd = formatAmount(this.usd, USD_SCALE)
    return {
      ...{ rows: this.rows, earned: String(this.earned), formatted_earned: tokens(this.earned) },
      usd: this.unpriced > 0n ? null : usd,
      usd_of_priced: usd,
      earned_without_price: String(this.unpriced),
    }
  }
}

interface TokenSums {
  readonly decimals: number | null
  readonly total: Sum
  readonly months: Map<string, Sum>
}

/** Earnings by token, total and monthly. Amounts of different tokens are never added. */
export class StatementSums {
  readonly #tokens = new Map<string, TokenSums>()
  readonly #unpriced = new Map<string, Set<string>>()

  add(row: RewardRow): void {
    const { token, decimals, day } = row
    const sums = this.#tokens.get(token) ?? { decimals, total: new Sum(), months: new Map<string, Sum>() }
    this.#tokens.set(token, sums)
    const month = sums.months.get(day.slice(0, 7)) ?? new Sum()
    sums.months.set(day.slice(0, 7), month)
    sums.total.add(row)
    month.add(row)
    if (row.earned > 0n && usdOf(row) === null) {
      const days = this.#unpriced.get(token) ?? new Set()
      this.#unpriced.set(token, days.add(day))
    }
  }

  /** Days by token with earnings and no price. */
  get unpriced(): ReadonlyMap<string, readonly string[]> {
    return new Map(sorted(this.#unpriced).map(([token, days]) => [token, [...days].sort()]))
  }

  toJson(): readonly JsonObject[] {
    return sorted(this.#tokens).map(([token, { decimals, total: all, months }]) => ({
      token,
      decimals,
      ...all.toJson(decimals),
      months: sorted(months).map(([month, sum]) => ({ month, ...sum.toJson(decimals) })),
    }))
  }
}

/** Entries by name. */
export function sorted<T>(map: ReadonlyMap<string, T>): readonly (readonly [string, T])[] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1))
}
