import { expect, test } from 'vitest'
import { decimalText, lognormalAmount, longQuotient, openShares } from '../../../src/write/sample/amounts.ts'
import { deriveSeed, openRandom } from '../../../src/write/sample/random.ts'

const draw = (seed: string, index: number) => {
  const random = openRandom(deriveSeed(seed), index)
  return Array.from({ length: 8 }, () => random.word())
}

test('equal seeds and indexes give equal draws, and different ones differ', () => {
  expect(draw('a', 1)).toEqual(draw('a', 1))
  expect(draw('a', 1)).not.toEqual(draw('a', 2))
  expect(draw('a', 1)).not.toEqual(draw('b', 1))
})

test('a restarted stream repeats its draws', () => {
  const random = openRandom(deriveSeed('a'), 5)
  random.bytes(13)
  random.restart(deriveSeed('a'), 1)
  expect(Array.from({ length: 8 }, () => random.word())).toEqual(draw('a', 1))
})

test('neighbouring indexes do not share draws', () => {
  const random = openRandom()
  const seed = deriveSeed('neighbours')
  const words = new Set<string>()
  for (let index = 0; index < 20_000; index += 1) {
    random.restart(seed, index)
    words.add(`${random.word()} ${random.word()}`)
  }
  expect(words.size).toBe(20_000)
})

test('normal draws have mean 0 and variance 1', () => {
  const random = openRandom(deriveSeed('normal'))
  const draws = Array.from({ length: 100_000 }, () => random.normal())
  const mean = draws.reduce((sum, value) => sum + value, 0) / draws.length
  const variance = draws.reduce((sum, value) => sum + (value - mean) ** 2, 0) / draws.length
  expect(mean).toBeCloseTo(0, 1)
  expect(variance).toBeCloseTo(1, 1)
})

test('half of all lognormal amounts are below the median', () => {
  const random = openRandom(deriveSeed('lognormal'))
  const amounts = Array.from({ length: 20_000 }, () => lognormalAmount(1e6, 2.2, random.normal()))
  const below = amounts.filter((amount) => amount < 1_000_000n).length
  expect(below / amounts.length).toBeCloseTo(0.5, 1)
})

test.each([
  [0n, 4, '0'],
  [5n, 3, '0.005'],
  [40_500n, 3, '40.5'],
  [400n, 0, '400'],
  [1_000n, 3, '1'],
  [2n ** 64n, 9, '18446744073.709551616'],
])('%i units with %i decimals are written as %s', (units, scale, text) => {
  expect(decimalText(units, scale)).toBe(text)
})

test.each([
  [2n, 3n, '0.666666666666666666666666666'],
  [10n ** 15n, 7n, '142857142857142.8571428571428'],
  [4n, 2n, '2'],
  [4n, 0n, '0'],
])('%i divided by %i, cut to 28 digits, is %s', (dividend, divisor, text) => {
  expect(longQuotient(dividend, divisor)).toBe(text)
})

test('a pool is divided by units, rounded down, and nothing is paid without units', () => {
  const pay = openShares(2n ** 64n, 3n)
  expect([pay(0n), pay(1n), pay(2n)]).toEqual([0n, 6_148_914_691_236_517_205n, 12_297_829_382_473_034_410n])
  expect(openShares(5n, 0n)(0n)).toBe(0n)
})
