import { uint16At, uint32At } from '../../base/values/typed-at.ts'
import { LIMBS, type Valid, Wides } from '../../base/values/vector.ts'

/** Words of 32 bits in a wide integer. */
const WORDS = 4

/** Row-wise sums of non-negative amounts; null counts as 0. Invalid rows are null. */
export function sumWides(vectors: readonly Wides[], rows: number, valid: Valid): Wides {
  const sums = new Uint32Array(rows * WORDS)
  for (const { limbs } of vectors) {
    const words = new Uint32Array(limbs.buffer, limbs.byteOffset, rows * WORDS)
    let carry = 0
    for (let limb = 0; limb < words.length; limb += 1) {
      const sum = uint32At(sums, limb) + uint32At(words, limb) + carry
      sums[limb] = sum
      // The highest limb never carries.
      carry = sum > 0xffff_ffff ? 1 : 0
    }
  }
  if (valid !== undefined)
    for (let row = 0; row < rows; row += 1) if (valid[row] === 0) sums.fill(0, row * WORDS, (row + 1) * WORDS)
  return new Wides(new Uint16Array(sums.buffer), valid)
}

/** Multiplies non-negative amounts by a factor; products must fit. */
export function multiplyWides(wides: Wides, factor: bigint): Wides {
  if (factor === 1n) return wides
  const factors = limbsOf(factor)
  const { limbs: from, valid } = wides
  const limbs = new Uint16Array(from.length)
  for (let first = 0; first < from.length; first += LIMBS) {
    let top = LIMBS
    while (top > 0 && from[first + top - 1] === 0) top -= 1
    for (let low = 0; low < factors.length; low += 1) {
      const by = uint16At(factors, low)
      let carry = 0
      for (let index = 0; index < top && index + low < LIMBS; index += 1) {
        const at = first + index + low
        // At most 0xffff * 0xffff + 2 * 0xffff, which is 2^32 - 1.
        carry = (uint16At(from, first + index) * by + uint16At(limbs, at) + carry) >>> 0
        limbs[at] = carry & 0xffff
        carry >>>= 16
      }
      if (top + low < LIMBS) limbs[first + top + low] = carry
    }
  }
  return new Wides(limbs, valid)
}

function limbsOf(value: bigint): Uint16Array {
  const limbs: number[] = []
  for (let remaining = value; remaining > 0n; remaining >>= 16n) limbs.push(Number(remaining & 0xffffn))
  return Uint16Array.from(limbs)
}
