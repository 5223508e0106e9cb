import { expect, test } from 'vitest'
import { decimalText, lognormalAmount, longDecimal } from '../../src/sample/amounts.ts'
import { deriveSeed, openRandom } from '../../src/sample/random.ts'

const draw = (seed: string, index: number) => {
  const random = openRandom(deriveSeed(seed), index)
  return Array.from({ length: 8 }, () => random.word())
}

test('the same seed and index give the same draws, another of either gives others', () => {
  expect(draw('a', 1)).toEqual(draw('a', 1))
  expect(draw('a', 1)).not.toEqual(draw('a', 2))
  expect(draw('a', 1)).not.toEqual(draw('b', 1))
})

test('a restarted stream forgets earlier draws', () => {
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

test('half of all lognormal amounts lie below the median', () => {
  const random = openRandom(deriveSeed('lognormal'))
  const amounts = Array.from({ length: 20_000 }, () => lognormalAmount(1e6, 2.2, random.normal()))
  const below = amounts.filter((amount) => amount < 1_000_000n).length
  expect(below / amounts.length).toBeCloseTo(0.5, 1)
})

test.each([
  [0, 4, '0'],
  [5, 3, '0.005'],
  [40_500, 3, '40.5'],
  [400, 0, '400'],
  [1_000, 3, '1'],
  [399_999_999_999, 9, '399.999999999'],
])('%i with %i decimals reads %s', (units, scale, text) => {
  expect(decimalText(units, scale)).toBe(text)
})

test('a long decimal has 28 digits and does not end in 0', () => {
  const random = openRandom(deriveSeed('decimals'))
  for (const whole of [4, 123, 45_689]) {
    const text = longDecimal(random, whole)
    expect(text).toMatch(new RegExp(`^${whole}\\.\\d*[1-9]$`))
    expect(text.replace('.', '')).toHaveLength(28)
  }
})
