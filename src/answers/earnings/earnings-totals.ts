import { getOrMake } from '../../base/maps.ts'
import { formatAmount } from '../../base/values/decimal.ts'
import { dateOf } from '../../base/values/epoch-day.ts'
import type { JsonObject } from '../../base/values/json-writer.ts'
import { type EarningsRow, rowStates } from './earnings-row.ts'

interface Sum {
  amount: bigint
  usd: bigint
  /** True if an amount has no price. */
  isUnpriced: boolean
}

/** The sum of one token. */
export type TokenSum = Readonly<Sum> & { readonly token: string }

/** Days in a state of a network that its rows cannot be summed over. */
export interface Gap {
  readonly state: EarningsRow['state']
  readonly network: string
  readonly dates: readonly string[]
}

/** Sums rows by token, and collects the days that lack something. */
export class EarningsTotals {
  readonly #tokens = new Map<string, Sum>()
  readonly #gaps = new Map<string, { state: EarningsRow['state']; network: string; days: Set<number> }>()
  /** Unknown keys. */
  readonly unknown: string[] = []

  add({ day, key, network, token, amount, usd, state }: EarningsRow): void {
    if (day === null || network === null) {
      this.unknown.push(key)
      return
    }
    if (state !== rowStates.paid && state !== rowStates.nothing) {
      const gap = getOrMake(this.#gaps, `${state} ${network}`, () => ({
        state,
        network,
        days: new Set<number>(),
      }))
      gap.days.add(day)
    }
    if (token === null || amount === null) return
    const sum = getOrMake(this.#tokens, token, () => ({ amount: 0n, usd: 0n, isUnpriced: false }))
    sum.amount += amount
    if (usd === null) sum.isUnpriced = true
    else sum.usd += usd
  }

  get tokens(): readonly TokenSum[] {
    return [...this.#tokens]
      .map(([token, sum]) => ({ token, ...sum }))
      .sort((a, b) => (a.token < b.token ? -1 : 1))
  }

  /** Sums of all tokens in USD. */
  get usd(): Pick<Sum, 'usd' | 'isUnpriced'> {
    const hasTokenUnknown = this.gaps.some(({ state }) => state === rowStates.tokenUnknown)
    return {
      usd: this.tokens.reduce((total, { usd }) => total + usd, 0n),
      isUnpriced: hasTokenUnknown || this.tokens.some(({ isUnpriced }) => isUnpriced),
    }
  }

  get gaps(): readonly Gap[] {
    return [...this.#gaps.values()]
      .map(({ state, network, days }) => ({
        state,
        network,
        dates: [...days].sort((a, b) => a - b).map(dateOf),
      }))
      .sort((a, b) => (`${a.state} ${a.network}` < `${b.state} ${b.network}` ? -1 : 1))
  }

  /** Amounts as text; `usd` is null if a price is missing. */
  toJson(): JsonObject {
    return {
      tokens: this.tokens.map(({ token, amount, usd, isUnpriced }) => ({
        ...{ token, amount: formatAmount(amount, 8), usd: isUnpriced ? null : formatAmount(usd, 16) },
        usd_of_priced: formatAmount(usd, 16),
      })),
      usd: this.usd.isUnpriced ? null : formatAmount(this.usd.usd, 16),
      missing: this.gaps.map(({ state, network, dates }) => ({ state, network, dates })),
      unknown_hotspots: this.unknown,
    }
  }
}
