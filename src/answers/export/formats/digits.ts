import { LIMBS } from '../../../base/values/vector.ts'

const ZERO = 0x30
const POINT = 0x2e
/** Buffer length for the digits of 128 bits and leading zeros. */
const END = 64
// Reads of these arrays are in range. `?? 0` costs less here than the checked accessors.
const digits = new Uint8Array(END)
const work = new Uint16Array(LIMBS)
/** The digits of 0 to 9999, four bytes each. */
const quads = Uint8Array.from(
  { length: 40_000 },
  (_, at) => ZERO + (Math.floor((at >> 2) / 10 ** (3 - (at & 3))) % 10),
)

/** The most bytes that an integer or decimal takes. */
export const MOST_DIGITS = 48

/**
 * Writes a non-negative integer of `size` limbs of 16 bits with `scale` decimals, without trailing zeros beyond
 * `least` decimals. Returns the offset behind it. Divisions fit in 32 bits, so no digit is lost.
 */
export function writeDigits(
  out: Uint8Array,
  at: number,
  limbs: Uint16Array,
  start: number,
  size: number,
  scale: number,
  least: 0 | 1,
): number {
  let first = digitsOf(limbs, start, size)
  while (first >= END - scale) {
    first -= 1
    digits[first] = ZERO
  }
  let to = at
  for (; first < END - scale; first += 1) {
    out[to] = digits[first] ?? 0
    to += 1
  }
  let end = END
  while (end > first + least && digits[end - 1] === ZERO) end -= 1
  if (scale === 0 || end === first) return to
  out[to] = POINT
  to += 1
  for (; first < end; first += 1) {
    out[to] = digits[first] ?? 0
    to += 1
  }
  return to
}

/** Fills `digits` from its end and returns the offset of the first digit. */
function digitsOf(limbs: Uint16Array, start: number, size: number): number {
  let top = size
  while (top > 0 && limbs[start + top - 1] === 0) top -= 1
  for (let limb = 0; limb < top; limb += 1) work[limb] = limbs[start + limb] ?? 0
  let first = END
  while (top > 0) {
    let remainder = 0
    for (let limb = top - 1; limb >= 0; limb -= 1) {
      const part = remainder * 65_536 + (work[limb] ?? 0)
      const quotient = (part / 10_000) | 0
      work[limb] = quotient
      remainder = part - quotient * 10_000
    }
    while (top > 0 && work[top - 1] === 0) top -= 1
    first -= 4
    for (let digit = 0; digit < 4; digit += 1) digits[first + digit] = quads[remainder * 4 + digit] ?? 0
  }
  while (first < END && digits[first] === ZERO) first += 1
  if (first === END) {
    first -= 1
    digits[first] = ZERO
  }
  return first
}
