import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BitWriter, wordsOf } from '../../src/index/blocks/bits.ts'
import { packNumbers } from '../../src/index/blocks/pack-numbers.ts'
import { take, unpackNumbers } from '../../src/index/blocks/unpack-numbers.ts'
import { scaled } from '../support/tier.ts'

const METHODS = ['least', 'own', 'steps', 'own steps']

function pack(numbers: readonly bigint[], before = 0) {
  const writer = new BitWriter()
  writer.put(0, before)
  packNumbers(writer, new Uint32Array(BigUint64Array.from(numbers).buffer))
  writer.put(5, 3)
  return writer.take()
}

function unpack(bytes: Buffer, count: number, before = 0): readonly bigint[] {
  const place = { words: wordsOf(bytes), bit: before }
  const numbers = [...new BigUint64Array(unpackNumbers(place, count).buffer)]
  expect(take(place, 3)).toBe(5)
  return numbers
}

const methodOf = (bytes: Buffer) => METHODS[take({ words: wordsOf(bytes), bit: 0 }, 2)]

describe('numbers of 64 bits', () => {
  it.each([
    [
      'of about the same size above others',
      'least',
      Array.from({ length: 50 }, (_, n) => 2n ** 60n + BigInt((n * 37) % 64)),
    ],
    ['of very different sizes', 'own', Array.from({ length: 50 }, (_, n) => 2n ** BigInt((n * 29) % 64))],
    ['that rise evenly', 'steps', Array.from({ length: 50 }, (_, n) => 2n ** 63n + BigInt(n * 1000))],
    ['that fall evenly', 'steps', Array.from({ length: 50 }, (_, n) => 2n ** 63n - BigInt(n * 1000))],
    ['that rise and fall a little, and now and then much', 'own steps', walk()],
    ['that are all the same', 'least', Array.from({ length: 50 }, () => 2n ** 64n - 1n)],
    ['that are one', 'least', [7n]],
  ])('%s are packed as %s', (_, method, numbers) => {
    const bytes = pack(numbers)
    expect(methodOf(bytes)).toBe(method)
    expect(unpack(bytes, numbers.length)).toEqual(numbers)
    expect(bytes.length).toBeLessThan(numbers.length * 8 + 16)
  })

  it('are unpacked to the same numbers at any offset', () => {
    const seen = new Set<string | undefined>()
    const number = fc.oneof(
      fc.bigInt(0n, 2n ** 64n - 1n),
      fc.bigInt(0n, 1000n),
      fc.constantFrom(0n, 1n, 2n ** 32n - 1n, 2n ** 32n),
    )
    const numbers = fc.array(number, { minLength: 1, maxLength: 80 })
    fc.assert(
      fc.property(numbers, fc.nat(17), fc.boolean(), (drawn, before, isSorted) => {
        const own = isSorted ? [...drawn].sort((a, b) => (a < b ? -1 : 1)) : drawn
        seen.add(methodOf(pack(own)))
        expect(unpack(pack(own, before), own.length, before)).toEqual(own)
      }),
      { seed: 1, numRuns: scaled(200, 5000) },
    )
    expect([...seen].sort()).toEqual([...METHODS].sort())
  })
})

/** Steps of some bits, and a few of many. */
function walk(): readonly bigint[] {
  const numbers = [2n ** 40n]
  for (let n = 1; n < 60; n += 1)
    numbers.push((numbers[n - 1] ?? 0n) + BigInt(n % 20 === 0 ? 2 ** 30 : n % 2 === 0 ? n % 7 : -(n % 5)))
  return numbers
}
