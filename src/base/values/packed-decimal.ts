import { LIMBS, type Wides } from './vector.ts'

const SCALE_BITS = 5n
const MOST_SCALE = 31

/** All digits as one number with the scale in its lowest bits; a decimal too long for that stays text. */
export function packDecimal(plain: string): bigint | string {
  const fraction = plain.split('.')[1] ?? ''
  const digits = BigInt(plain.replace('.', ''))
  const whole = digits < 0n ? -2n * digits - 1n : 2n * digits
  const packed = (whole << SCALE_BITS) | BigInt(fraction.length)
  return fraction.length > MOST_SCALE || packed >= 2n ** 64n ? plain : packed
}

export function unpackDecimal(packed: bigint): string {
  const scale = Number(packed & BigInt(MOST_SCALE))
  const whole = packed >> SCALE_BITS
  const isNegative = (whole & 1n) === 1n
  const digits = `${(whole + 1n) >> 1n}`.padStart(scale + 1, '0')
  const point = digits.length - scale
  const plain = scale === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`
  return isNegative ? `-${plain}` : plain
}

/** The remainder of a division by it and a piece of 16 bits together stay below 2^53. */
const BILLION = 1_000_000_000
const BILLION_DIGITS = 9
const LIMB = 65_536

/**
 * What `packDecimal` makes of a decimal in units of 10^-scale, without a bigint: a whole number below 2^53. -1 where it is not, for
 * some other decimals as well: negative ones, and those of fewer than 9 digits after the point, or more than 31.
 */
export function packUnits({ limbs }: Wides, row: number, scale: number): number {
  const first = row * LIMBS
  let billions = 0
  let rest = 0
  for (let place = LIMBS - 1; place >= 0; place -= 1) {
    const part = rest * LIMB + (limbs[first + place] as number)
    const quotient = Math.floor(part / BILLION)
    rest = part - quotient * BILLION
    billions = billions * LIMB + quotient
    // The highest piece of a negative number alone makes it more.
    if (billions > Number.MAX_SAFE_INTEGER) return -1
  }
  if (scale < BILLION_DIGITS || scale > MOST_SCALE) return -1
  if (rest === 0) return packed(billions, scale - BILLION_DIGITS)
  let [unit, left] = [BILLION, scale]
  for (; rest % 10 === 0; rest /= 10) {
    unit /= 10
    left -= 1
  }
  return packed(billions * unit + rest, left)
}

function packed(digits: number, scale: number): number {
  if (digits > Number.MAX_SAFE_INTEGER) return -1
  let [own, left] = [digits, scale]
  for (; left > 0 && own % 10 === 0; own /= 10) left -= 1
  const number = own * 2 * (MOST_SCALE + 1) + left
  return number > Number.MAX_SAFE_INTEGER ? -1 : number
}
