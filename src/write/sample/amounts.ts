/** Most digits of a decimal written by the oracles. */
const DECIMAL_DIGITS = 28

/** Returns a heavy-tailed amount of at least 1. `score` is standard normal; half of all amounts are below `median`. */
export function lognormalAmount(median: number, sigma: number, score: number): bigint {
  return BigInt(Math.max(1, Math.round(median * Math.exp(sigma * score))))
}

/** Returns a function that pays a number of units their part of a pool, rounded down; 0 if there are no units. */
export function openShares(pool: bigint, allUnits: bigint): (units: bigint) => bigint {
  return (units) => (allUnits === 0n ? 0n : (units * pool) / allUnits)
}

/** Returns `units` divided by 10 to the power of `scale`, as decimal text without trailing zeros. */
export function decimalText(units: bigint, scale: number): string {
  const digits = String(units).padStart(scale + 1, '0')
  const at = digits.length - scale
  const fraction = digits.slice(at).replace(/0+$/, '')
  return fraction === '' ? digits.slice(0, at) : `${digits.slice(0, at)}.${fraction}`
}

/** Returns `dividend` divided by `divisor`, cut to 28 digits; 0 if the divisor is 0. */
export function longQuotient(dividend: bigint, divisor: bigint): string {
  if (divisor === 0n) return '0'
  const scale = DECIMAL_DIGITS - String(dividend / divisor).length
  return decimalText((dividend * 10n ** BigInt(scale)) / divisor, scale)
}
