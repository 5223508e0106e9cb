const ZERO = 0x30
const POINT = 0x2e
const WORD = 0x1_0000_0000
const EIGHT_DIGITS = 100_000_000
/** A second word below this makes an exact number with the first. */
const EXACT_SECOND = 0x20_0000
/** Buffer length for the digits of 128 bits and leading zeros. */
const END = 64
// Reads of these arrays are in range. `?? 0` costs less here than the checked accessors.
const digits = new Uint8Array(END)
const limbs = new Uint16Array(8)
/** The digits of 0 to 9999, as four bytes. */
const quads = new Int32Array(10_000)
const quadBytes = new Uint8Array(quads.buffer)
for (let at = 0; at < quadBytes.length; at += 1)
  quadBytes[at] = ZERO + (Math.floor((at >> 2) / 10 ** (3 - (at & 3))) % 10)

/** The most bytes that an integer or decimal takes. */
export const MOST_DIGITS = 48

/**
 * Writes a non-negative integer of `size` words of 32 bits with `scale` decimals, without trailing zeros beyond
 * `least` decimals. Returns the offset behind it; up to three bytes behind that are overwritten. No digit is lost:
 * below 2^53 a number is an exact integer, and divisions of wider ones fit in 32 bits.
 */
export function writeDigits(
  out: DataView,
  at: number,
  words: Uint32Array,
  start: number,
  size: number,
  scale: number,
  least: 0 | 1,
): number {
  let top = size
  while (top > 1 && words[start + top - 1] === 0) top -= 1
  const second = top > 1 ? (words[start + 1] ?? 0) : 0
  if (top > 2 || second >= EXACT_SECOND) return writeWide(out, at, digitsOf(words, start, top), scale, least)
  const value = second * WORD + (words[start] ?? 0)
  if (scale === 0) return writeWhole(out, at, value)
  if (scale !== 8 && scale !== 16) return writeWide(out, at, digitsOf(words, start, top), scale, least)
  const upper = Math.floor(value / EIGHT_DIGITS)
  const point = writeWhole(out, at, scale === 8 ? upper : 0)
  const middle = scale === 8 ? point + 1 : writeEight(out, point + 1, upper)
  return withoutZeros(out, point, writeEight(out, middle, value - upper * EIGHT_DIGITS), least)
}

function writeWhole(out: DataView, at: number, value: number): number {
  if (value >= EIGHT_DIGITS) {
    const upper = Math.floor(value / EIGHT_DIGITS)
    return writeEight(out, writeWhole(out, at, upper), value - upper * EIGHT_DIGITS)
  }
  if (value < 10_000) return writeQuad(out, at, value)
  const upper = (value / 10_000) | 0
  const to = writeQuad(out, at, upper)
  out.setInt32(to, quads[value - upper * 10_000] ?? 0, true)
  return to + 4
}

/** Writes 0 to 9999 without leading zeros. */
function writeQuad(out: DataView, at: number, value: number): number {
  const skipped = value >= 1000 ? 0 : value >= 100 ? 1 : value >= 10 ? 2 : 3
  out.setInt32(at, (quads[value] ?? 0) >>> (skipped * 8), true)
  return at + 4 - skipped
}

/** Writes eight digits, with leading zeros. */
function writeEight(out: DataView, at: number, value: number): number {
  const upper = (value / 10_000) | 0
  out.setInt32(at, quads[upper] ?? 0, true)
  out.setInt32(at + 4, quads[value - upper * 10_000] ?? 0, true)
  return at + 8
}

/** Puts a point and drops zeros behind it, except `least`; without a fraction it drops the point as well. */
function withoutZeros(out: DataView, point: number, from: number, least: 0 | 1): number {
  let end = from
  out.setUint8(point, POINT)
  while (end > point + 1 + least && out.getUint8(end - 1) === ZERO) end -= 1
  return end === point + 1 ? point : end
}

/** Writes `digits` from an offset. */
function writeWide(out: DataView, at: number, start: number, scale: number, least: 0 | 1): number {
  let first = start
  while (first >= END - scale) {
    first -= 1
    digits[first] = ZERO
  }
  let to = at
  for (; first < END - scale; first += 1) {
    out.setUint8(to, digits[first] ?? 0)
    to += 1
  }
  if (scale === 0) return to
  const point = to
  for (; first < END; first += 1) {
    to += 1
    out.setUint8(to, digits[first] ?? 0)
  }
  return withoutZeros(out, point, to + 1, least)
}

/** Fills `digits` from its end and returns the offset of the first digit. Divisions fit in 32 bits. */
function digitsOf(words: Uint32Array, start: number, size: number): number {
  let top = size * 2
  for (let word = 0; word < size; word += 1) {
    const value = words[start + word] ?? 0
    limbs[word * 2] = value & 0xffff
    limbs[word * 2 + 1] = value >>> 16
  }
  let first = END
  while (top > 0 && limbs[top - 1] === 0) top -= 1
  while (top > 0) {
    let remainder = 0
    for (let limb = top - 1; limb >= 0; limb -= 1) {
      const part = remainder * 65_536 + (limbs[limb] ?? 0)
      const quotient = (part / 10_000) | 0
      limbs[limb] = quotient
      remainder = part - quotient * 10_000
    }
    while (top > 0 && limbs[top - 1] === 0) top -= 1
    first -= 4
    for (let digit = 0; digit < 4; digit += 1) digits[first + digit] = quadBytes[remainder * 4 + digit] ?? 0
  }
  while (first < END && digits[first] === ZERO) first += 1
  if (first === END) {
    first -= 1
    digits[first] = ZERO
  }
  return first
}
