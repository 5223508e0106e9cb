import { scaledAlike } from './amounts.ts'

/** Returns how much more or less `one` is than `other`, as a percentage: `+12 %`. Undefined if `other` is 0. */
export function differenceText(one: bigint, other: bigint): string | undefined {
  if (other === 0n) return undefined
  const halves = ((one - other) * 200n) / other
  const percent = (halves + (halves < 0n ? -1n : 1n)) / 2n
  if (percent === 0n) return '±0 %'
  return `${percent < 0n ? '−' : '+'}${(percent < 0n ? -percent : percent).toLocaleString('en')} %`
}

/** The same of two decimal texts. */
export function decimalDifferenceText(one: string, other: string): string | undefined {
  return differenceText(...scaledAlike(one, other))
}
