import type { Random } from './random.ts'

/** A heavy-tailed amount: `score` is standard normal, and half of all amounts lie below `median`. */
export function lognormalAmount(median: number, sigma: number, score: number): bigint {
  return BigInt(Math.round(median * Math.exp(sigma * score)))
}

/** An amount from `least` to `most`, all equally likely. */
export function uniformAmount(random: Random, least: number, most: number): bigint {
  return BigInt(Math.round(least + (most - least) * random.unit()))
}

/** 10 to the power of `scale`, which no platform rounds. */
export function powerOfTen(scale: number): number {
  return Number(`1e${scale}`)
}

/** `units` divided by 10 to the power of `scale`, as plain decimal text without needless zeros. */
export function decimalText(units: number, scale: number): string {
  const digits = String(units).padStart(scale + 1, '0')
  const at = digits.length - scale
  const fraction = digits.slice(at).replace(/0+$/, '')
  return fraction === '' ? digits.slice(0, at) : `${digits.slice(0, at)}.${fraction}`
}

/** A decimal of 28 digits in all, the most that the oracles write; it does not end in 0. */
export function longDecimal(random: Random, whole: number): string {
  const before = String(whole)
  const digits = Array.from({ length: 27 - before.length }, () => random.below(10))
  return `${before}.${digits.join('')}${1 + random.below(9)}`
}
