import { itemAt } from './item-at.ts'

/** Exact decimals as text and scaled bigints. Nothing here makes a double. */

/** Digits after the point of the stored DECIMAL(38,18). */
export const STORED_SCALE = 18
const STORED_INTEGER_DIGITS = 20
const LONGEST_FRACTION = 64
/** Decimals in canonical plain text, except negative ones; at most LONGEST_FRACTION digits after the point. */
const PLAIN_TEXT = /^(?:0|[1-9]\d*)(?:\.\d{0,63}[1-9])?$/
const DECIMAL_TEXT = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/

const POWERS = Array.from({ length: STORED_SCALE + 1 }, (_, exponent) => 10n ** BigInt(exponent))

/** A decimal in canonical plain text: no exponent, no needless zeros, no negative zero. */
export type PlainDecimal = string

/** Parses a decimal into canonical plain text; undefined if it is malformed or needs more than 64 fraction digits. */
export function readDecimal(text: string): PlainDecimal | undefined {
  if (PLAIN_TEXT.test(text)) return text
  const match = DECIMAL_TEXT.exec(text)
  if (match === null) return undefined
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match
  if (whole === '' && fraction === '') return undefined
  const shift = BigInt(exponent)
  const digits = whole + fraction
  const point = BigInt(whole.length) + shift
  const padded =
    point <= 0n ? `${'0'.repeat(Number(1n - point))}${digits}` : digits.padEnd(Number(point), '0')
  const at = point <= 0n ? 1 : Number(point)
  const integerPart = padded.slice(0, at).replace(/^0+(?=\d)/, '')
  const fractionPart = withoutTrailingZeros(padded.slice(at))
  if (fractionPart.length > LONGEST_FRACTION) return undefined
  const plain = fractionPart === '' ? integerPart : `${integerPart}.${fractionPart}`
  return sign === '-' && plain !== '0' ? `-${plain}` : plain
}

/** A loop is linear; a regular expression would backtrack from every zero. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length
  while (digits.charAt(end - 1) === '0') end -= 1
  return digits.slice(0, end)
}

/** Truncates a decimal to DECIMAL(38,18); undefined with more than 20 integer digits. */
export function storedDecimal(plain: PlainDecimal): PlainDecimal | undefined {
  const point = pointOf(plain)
  if (point - (plain.startsWith('-') ? 1 : 0) > STORED_INTEGER_DIGITS) return undefined
  const end = point + 1 + STORED_SCALE
  return plain.length <= end ? plain : readDecimal(plain.slice(0, end))
}

/** Returns a stored decimal in units of 10^-18: `1.5` is 1,500,000,000,000,000,000. */
export function scaledDecimal(stored: PlainDecimal): bigint {
  const point = pointOf(stored)
  const fraction = stored.slice(point + 1)
  return BigInt(stored.slice(0, point) + fraction) * itemAt(POWERS, STORED_SCALE - fraction.length)
}

/** Index of the decimal point, or the length without one. */
function pointOf(plain: PlainDecimal): number {
  const point = plain.indexOf('.')
  return point < 0 ? plain.length : point
}

/** Truncates a decimal toward zero to an integer. */
export function truncatedDecimal(text: string): bigint | undefined {
  const plain = readDecimal(text)
  return plain === undefined ? undefined : BigInt(plain.split('.')[0] ?? '0')
}

/** Formats an amount in whole tokens: `formatAmount(113220n, 8)` is `0.0011322`. At least one digit stays after the point. */
export function formatAmount(units: bigint, decimals: number): string {
  return formatDigits(units.toString(), decimals)
}

/** Formats the digits of an amount in whole tokens. */
export function formatDigits(units: string, decimals: number): string {
  const digits = units.padStart(decimals + 1, '0')
  const point = digits.length - decimals
  const fraction = withoutTrailingZeros(digits.slice(point))
  return `${digits.slice(0, point)}.${fraction === '' ? '0' : fraction}`
}

/** Writes units of 10^-scale as plain text without needless zeros. */
export function plainDecimal(units: bigint, scale: number): PlainDecimal {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0')
  const cut = digits.length - scale
  const fraction = withoutTrailingZeros(digits.slice(cut))
  return `${units < 0n ? '-' : ''}${digits.slice(0, cut)}${fraction === '' ? '' : `.${fraction}`}`
}
