import { mainToken, rewardTokens } from '../../catalog/networks.ts'

/** Amounts as the interface has them: text with every digit. Nothing here is a double. */

const tokens = new Map([...rewardTokens, ['main', mainToken]])

/** The unit of an amount whose token is unknown. */
const UNKNOWN_SYMBOL = 'bones'

export function symbolOf(token: string | null): string {
  return tokens.get(token)?.symbol ?? UNKNOWN_SYMBOL
}

/** Base units as whole tokens: `wholeTokens('1750589', 'main')` is `0.01750589`. Without a token they stay as they are. */
export function wholeTokens(units: string, token: string | null): string {
  return pointed(BigInt(units), tokens.get(token)?.decimals ?? 0)
}

/** A number of `decimals` digits after the point as text, without zeros at its end. */
function pointed(value: bigint, decimals: number): string {
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0')
  const split = digits.length - decimals
  const fraction = digits.slice(split).replace(/0+$/, '')
  return `${value < 0n ? '-' : ''}${digits.slice(0, split)}${fraction && `.${fraction}`}`
}

/** The exact sum of decimal texts. */
export function sumOf(texts: readonly string[]): string {
  const decimals = Math.max(0, ...texts.map((text) => fractionOf(text).length))
  return pointed(
    texts.reduce((sum, text) => sum + scaled(text, decimals), 0n),
    decimals,
  )
}

/** A decimal text with so many digits after the point, halves away from zero. */
export function rounded(text: string, decimals: number): string {
  const value = scaled(text, Math.max(fractionOf(text).length, decimals))
  const unit = 10n ** BigInt(Math.max(0, fractionOf(text).length - decimals))
  const half = value < 0n ? -(unit / 2n) : unit / 2n
  const [whole = '0', fraction = ''] = pointed((value + half) / unit, decimals).split('.')
  return decimals === 0 ? whole : `${whole}.${fraction.padEnd(decimals, '0')}`
}

/** The whole part in groups of three digits. */
export function grouped(text: string): string {
  const [whole = '', fraction] = text.split('.')
  const parted = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? parted : `${parted}.${fraction}`
}

/** USD for reading: cents, and four digits where there are few dollars. The exact text is shown beside it. */
export function shortUsd(text: string): string {
  const isSmall = text.replace('-', '').split('.')[0]?.length === 1
  return `$${grouped(rounded(text, isSmall ? 4 : 2))}`
}

/** How two decimal texts compare: negative, 0 or positive. */
export function compare(one: string, other: string): number {
  const decimals = Math.max(fractionOf(one).length, fractionOf(other).length)
  const difference = scaled(one, decimals) - scaled(other, decimals)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

const fractionOf = (text: string) => text.split('.')[1] ?? ''

function scaled(text: string, decimals: number): bigint {
  const [whole = '0', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(decimals, '0'))
}
