import { expect, it } from 'vitest'
import { addWholes, ExactSums, wholeOf } from '../../../src/base/values/exact-sums.ts'
import { deriveSeed, openRandom } from '../../../src/write/sample/random.ts'

const MOST = 2n ** 53n - 1n
const edges = [0n, 1n, MOST - 1n, MOST, MOST + 1n, MOST + 2n, 2n ** 63n, 2n ** 64n - 1n]
const all = [...edges, ...edges.map((edge) => -edge)]

it.each(all)('a sum with %s is exact, whatever is added to it', (a) => {
  for (const b of all) {
    const sum = addWholes(wholeOf(a), wholeOf(b))
    expect(BigInt(sum)).toBe(a + b)
    expect(typeof sum === 'bigint' || Number.isSafeInteger(sum)).toBe(true)
  }
})

it('sums at many indexes are exact while they exceed 2^53 and return', () => {
  const random = openRandom(deriveSeed('exact sums'))
  const sums = new ExactSums()
  const expected = Array.from({ length: 200 }, () => 0n)
  let large = 0
  for (let added = 0; added < 20_000; added += 1) {
    const place = random.below(expected.length)
    const amount = all[random.below(all.length)] as bigint
    sums.add(place, wholeOf(amount))
    expected[place] = (expected[place] as bigint) + amount
    if ((expected[place] as bigint) > MOST) large += 1
  }
  expect(large).toBeGreaterThan(1000)
  expect(expected.map((_, place) => BigInt(sums.at(place)))).toEqual(expected)
})
