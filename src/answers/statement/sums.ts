import { formatAmount } from '../../base/values/decimal.ts'
import type { JsonObject } from '../../base/values/json-writer.ts'
import { type RewardRow, SCALE, unitOf, VALUE_SCALE } from './reward-facts.ts'

const USD_SCALE = 16

/** Money of rewards with a price, and the bones of those without. */
class Money {
  sum = 0n
  unpriced = 0n

  add(earned: bigint, amount: bigint | null): void {
    if (amount === null) this.unpriced += earned
    else this.sum += amount
  }

  addMoney({ sum, unpriced }: Money): void {
    this.sum += sum
    this.unpriced += unpriced
  }
}

class Sum {
  rows = 0
  earned = 0n
  /** Units of 10^-16 USD. */
  readonly usd = new Money()
  /** At own prices; see `VALUE_SCALE`. */
  readonly value = new Money()

  add(earned: bigint, usd: bigint | null, value: bigint | null): void {
    this.rows += 1
    this.earned += earned
    this.usd.add(earned, usd)
    this.value.add(earned, value)
  }

  addSum({ rows, earned, usd, value }: Sum): void {
    this.rows += rows
    this.earned += earned
    this.usd.addMoney(usd)
    this.value.addMoney(value)
  }

  /** Amounts of one token as text. */
  toJson(decimals: number | null, isValued: boolean): JsonObject {
    const unit = unitOf(decimals)
    const formatted_earned = unit === null ? null : formatAmount(this.earned * unit, SCALE)
    return {
      ...{ rows: this.rows, earned: String(this.earned), formatted_earned },
      ...this.money(isValued),
      earned_without_price: String(this.usd.unpriced),
      ...(isValued && { earned_without_value: String(this.value.unpriced) }),
    }
  }

  /** `usd` and `value` are null if a price is missing. */
  money(isValued: boolean): JsonObject {
    const usd = formatAmount(this.usd.sum, USD_SCALE)
    const value = formatAmount(this.value.sum, VALUE_SCALE)
    return {
      ...{ usd: this.usd.unpriced > 0n ? null : usd, usd_of_priced: usd },
      ...(isValued && { value: this.value.unpriced > 0n ? null : value, value_of_priced: value }),
    }
  }
}

interface TokenSums {
  readonly decimals: number | null
  readonly months: Map<string, Sum>
  readonly unpricedDays: Set<string>
  readonly unvaluedDays: Set<string>
}

/** Earnings by token, total and monthly. Amounts of different tokens are never added. */
export class StatementSums {
  readonly #tokens = new Map<string, TokenSums>()

  readonly #isValued: boolean

  /** `isValued` is true with own prices. */
  constructor(isValued: boolean) {
    this.#isValued = isValued
  }

  /** `usd` are units of 10^-16 USD, `value` is at own prices; null without a price. */
  add({ facts, earned }: RewardRow, usd: bigint | null, value: bigint | null): void {
    const { token, decimals, month } = facts
    let sums = this.#tokens.get(token)
    if (sums === undefined) {
      sums = { decimals, months: new Map(), unpricedDays: new Set(), unvaluedDays: new Set() }
      this.#tokens.set(token, sums)
    }
    let sum = sums.months.get(month)
    if (sum === undefined) {
      sum = new Sum()
      sums.months.set(month, sum)
    }
    sum.add(earned, usd, value)
    if (earned > 0n && usd === null) sums.unpricedDays.add(facts.day)
    if (earned > 0n && value === null) sums.unvaluedDays.add(facts.day)
  }

  /** Days by token with earnings and no price. */
  get unpriced(): DaysByToken {
    return daysByToken(this.#tokens, ({ unpricedDays }) => unpricedDays)
  }

  /** The same for own prices. */
  get unvalued(): DaysByToken {
    return daysByToken(this.#tokens, ({ unvaluedDays }) => unvaluedDays)
  }

  /** Money of all tokens. */
  allTokens(): JsonObject {
    const total = new Sum()
    for (const { months } of this.#tokens.values()) for (const sum of months.values()) total.addSum(sum)
    return { rows: total.rows, ...total.money(this.#isValued) }
  }

  toJson(): readonly JsonObject[] {
    return sorted(this.#tokens).map(([token, { decimals, months }]) => {
      const total = new Sum()
      for (const sum of months.values()) total.addSum(sum)
      return {
        token,
        decimals,
        ...total.toJson(decimals, this.#isValued),
        months: sorted(months).map(([month, sum]) => ({ month, ...sum.toJson(decimals, this.#isValued) })),
      }
    })
  }
}

export type DaysByToken = ReadonlyMap<string, readonly string[]>

function daysByToken(
  tokens: ReadonlyMap<string, TokenSums>,
  daysOf: (sums: TokenSums) => ReadonlySet<string>,
): DaysByToken {
  const lists = sorted(tokens).map(([token, sums]) => [token, [...daysOf(sums)].sort()] as const)
  return new Map(lists.filter(([, days]) => days.length > 0))
}

/** Entries by name. */
export function sorted<T>(map: ReadonlyMap<string, T>): readonly (readonly [string, T])[] {
  return [...map].sort(([a], [b]) => (a < b ? -1 : 1))
}
