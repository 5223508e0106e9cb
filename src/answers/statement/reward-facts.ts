import { STORED_SCALE } from '../../base/values/decimal.ts'

/** Decimals of amounts of tokens in a statement. */
export const SCALE = 8
/** Digits after the point of a value at own prices: those of an amount and those of a price. */
export const VALUE_SCALE = SCALE + STORED_SCALE

/** Values that rewards share, for example those of one epoch, type and source. */
export interface FactValues {
  readonly day: string
  readonly network: string
  readonly type: string
  /** A symbol such as `HNT`; `unknown-…` without a manifest. */
  readonly token: string
  /** Decimals of the token; null if unknown. */
  readonly decimals: number | null
  /** USD per whole token, times ten to `decimals`; null if unknown or 0. */
  readonly price: bigint | null
  readonly epoch: bigint | null
  readonly source: string
  /** L1 only: the paid account, and the position in the ledger. */
  readonly account: string | null
  readonly block: bigint | null
  readonly transaction: string | null
  /** True if its day belongs to the holding. */
  readonly isStated: boolean
  /** True if totals over the epochs of the holding include it. */
  readonly isInTotals: boolean
}

/** The same values, with everything that is computed from them. */
export interface RewardFacts extends FactValues {
  /** `YYYY-MM` */
  readonly month: string
  /** Factor from units of the token to 10^-8 tokens; null if the token is unknown. */
  readonly unit: bigint | null
  /** Factor from units of the token to 10^-16 USD; null without a price. */
  readonly rate: bigint | null
  /** Units of 10^-8 USD per whole token; null if unknown. */
  readonly scaledPrice: bigint | null
}

export interface RewardRow {
  readonly facts: RewardFacts
  readonly key: string
  readonly name: string | null
  /** Bones by purpose, in the order of `earnedColumns`. */
  readonly amounts: readonly bigint[]
  readonly earned: bigint
}

/** Returns the factor from units of a token to 10^-8 tokens; null if the token is unknown. */
export function unitOf(decimals: number | null): bigint | null {
  return decimals === null ? null : 10n ** BigInt(SCALE - decimals)
}

export function toFacts(values: FactValues): RewardFacts {
  const { day, decimals, price } = values
  const unit = unitOf(decimals)
  const scaledPrice = unit === null || price === null ? null : price * unit
  return {
    ...values,
    month: day.slice(0, 7),
    unit,
    rate: unit === null || scaledPrice === null ? null : unit * scaledPrice,
    scaledPrice,
  }
}
