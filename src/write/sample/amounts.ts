/** The most digits of a decimal that the oracles write. */
const DECIMAL_DIGITS = 28

/** A heavy-tailed amount from 1 on: `score` is standard normal, and half of all amounts lie below `median`. */
export function lognormalAmount(median: number, sigma: number, score: number): bigint {
  return BigInt(Math.max(1, Math.round(median * Math.exp(sigma * score))))
}

/** Pays what a number of units earns of a pool that all units share, rounded down; nothing when there are none. */
export function openShares(pool: bigint, allUnits: bigint): (units: bigint) => bigint {
  return (units) => (allUnits === 0n ? 0n : (units * pool) / allUnits)
}

/** `units` divided by 10 to the power of `scale`, as plain decimal text without needless zeros. */
export function decimalText(units: bigint, scale: number): string {
  const digits = String(units).padStart(scale + 1, '0')
  const at = digits.length - scale
  const fraction = digits.slice(at).replace(/0+$/, '')
  return fraction === '' ? digits.slice(0, at) : `${digits.slice(0, at)}.${fraction}`
}

/** `dividend` by `divisor`, cut to 28 digits in all; 0 when the divisor is 0. */
export function longQuotient(dividend: bigint, divisor: bigint): string {
  if (divisor === 0n) return '0'
  const scale = DECIMAL_DIGITS - String(dividend / divisor).length
  return decimalText((dividend * 10n ** BigInt(scale)) / divisor, scale)
}
