import { mainToken, rewardTokens } from '../../catalog/networks.ts'

/** Amounts are decimal text with every digit. No function here uses a double. */

const tokens = new Map([...rewardTokens, ['main', mainToken]])

/** Unit of amounts in an unknown token. */
const UNKNOWN_SYMBOL = 'bones'

export function symbolOf(token: string | null): string {
  return tokens.get(token)?.symbol ?? UNKNOWN_SYMBOL
}

/**
 * Converts base units to whole tokens: `wholeTokens('1750589', 'main')` is `0.01750589`. Without a token the amount stays
 * in base units.
 */
export function wholeTokens(units: string, token: string | null): string {
  return pointed(BigInt(units), tokens.get(token)?.decimals ?? 0)
}

/** Writes `value / 10^decimals` without trailing zeros. */
function pointed(value: bigint, decimals: number): string {
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0')
  const split = digits.length - decimals
  const fraction = digits.slice(split).replace(/0+$/, '')
  return `${value < 0n ? '-' : ''}${digits.slice(0, split)}${fraction && `.${fraction}`}`
}

/** Returns the exact sum of decimal texts. */
export function sumOf(texts: readonly string[]): string {
  const decimals = Math.max(0, ...texts.map((text) => fractionOf(text).length))
  return pointed(
    texts.reduce((sum, text) => sum + scaled(text, decimals), 0n),
    decimals,
  )
}

/** Rounds a decimal text to `decimals` digits after the point, halves away from zero. */
export function rounded(text: string, decimals: number): string {
  const value = scaled(text, Math.max(fractionOf(text).length, decimals))
  const unit = 10n ** BigInt(Math.max(0, fractionOf(text).length - decimals))
  const half = value < 0n ? -(unit / 2n) : unit / 2n
  const [whole = '0', fraction = ''] = pointed((value + half) / unit, decimals).split('.')
  return decimals === 0 ? whole : `${whole}.${fraction.padEnd(decimals, '0')}`
}

/** Groups the digits of the integer part by three. */
export function grouped(text: string): string {
  const [whole = '', fraction] = text.split('.')
  const parted = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? parted : `${parted}.${fraction}`
}

/** Rounds USD to cents, or to four digits below 10 dollars. The page shows the exact text too. */
export function shortUsd(text: string, decimals = usdDecimals([text])): string {
  return `$${grouped(rounded(text, decimals))}`
}

/** Returns the digits after the point for a column of USD: four if all are below 10 dollars, otherwise two. */
export function usdDecimals(texts: readonly string[]): number {
  return texts.every((text) => compare(text, '10') < 0) ? 4 : 2
}

/** Compares two decimal texts: negative, 0 or positive. */
export function compare(one: string, other: string): number {
  const [first, second] = scaledAlike(one, other)
  return first < second ? -1 : first > second ? 1 : 0
}

/** Returns two decimal texts as integers of the same unit. */
export function scaledAlike(one: string, other: string): readonly [bigint, bigint] {
  const decimals = Math.max(fractionOf(one).length, fractionOf(other).length)
  return [scaled(one, decimals), scaled(other, decimals)]
}

const fractionOf = (text: string) => text.split('.')[1] ?? ''

function scaled(text: string, decimals: number): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}
