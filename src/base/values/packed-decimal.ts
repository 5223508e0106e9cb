import { uint16At } from './typed-at.ts'
import { LIMBS, type Wides } from './vector.ts'

const SCALE_BITS = 5n
const MOST_SCALE = 31

/** Packs the digits of a decimal with the scale in the lowest bits. A decimal that does not fit into 64 bits stays text. */
export function packDecimal(plain: string): bigint | string {
  const fraction = plain.split('.')[1] ?? ''
  const digits = BigInt(plain.replace('.', ''))
  const zigzag = digits < 0n ? -2n * digits - 1n : 2n * digits
  const packed = (zigzag << SCALE_BITS) | BigInt(fraction.length)
  return fraction.length > MOST_SCALE || packed >= 2n ** 64n ? plain : packed
}

export function unpackDecimal(packed: bigint): string {
  const scale = Number(packed & BigInt(MOST_SCALE))
  const zigzag = packed >> SCALE_BITS
  const isNegative = (zigzag & 1n) === 1n
  const digits = `${(zigzag + 1n) >> 1n}`.padStart(scale + 1, '0')
  const point = digits.length - scale
  const plain = scale === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`
  return isNegative ? `-${plain}` : plain
}

/** A remainder below it and a 16-bit limb together stay below 2^53. */
const BILLION = 1_000_000_000
const BILLION_DIGITS = 9
const LIMB = 65_536

/**
 * Packs units of 10^-scale like `packDecimal`, without a bigint. Returns -1 if the result is 2^53 or more,
 * and for negative numbers, scales below 9 and above 31.
 */
export function packUnits({ limbs }: Wides, row: number, scale: number): number {
  const first = row * LIMBS
  let billions = 0
  let remainder = 0
  for (let limb = LIMBS - 1; limb >= 0; limb -= 1) {
    const part = remainder * LIMB + uint16At(limbs, first + limb)
    const quotient = Math.floor(part / BILLION)
    remainder = part - quotient * BILLION
    billions = billions * LIMB + quotient
    // The highest limb of a negative number exceeds this.
    if (billions > Number.MAX_SAFE_INTEGER) return -1
  }
  if (scale < BILLION_DIGITS || scale > MOST_SCALE) return -1
  if (remainder === 0) return packed(billions, scale - BILLION_DIGITS)
  let [unit, left] = [BILLION, scale]
  for (; remainder % 10 === 0; remainder /= 10) {
    unit /= 10
    left -= 1
  }
  return packed(billions * unit + remainder, left)
}

function packed(digits: number, scale: number): number {
  if (digits > Number.MAX_SAFE_INTEGER) return -1
  let [significant, left] = [digits, scale]
  for (; left > 0 && significant % 10 === 0; significant /= 10) left -= 1
  const number = significant * 2 * (MOST_SCALE + 1) + left
  return number > Number.MAX_SAFE_INTEGER ? -1 : number
}
