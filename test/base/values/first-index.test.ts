import { expect, it } from 'vitest'
import { firstIndexNear } from '../../../src/base/values/first-index.ts'
import { deriveSeed, openRandom } from '../../../src/write/sample/random.ts'

/** The place that a search finds, and how many it looked at. */
function search(low: number, high: number, estimate: number, step: number, wanted: number) {
  let looks = 0
  const place = firstIndexNear({ low, high, estimate }, step, (own) => {
    if (own < low || own >= high) throw new Error(`${own} is not within ${low} and ${high}`)
    looks += 1
    return own >= wanted
  })
  return { place, looks }
}

it('a search from any estimate finds the first index with at most three times the comparisons of binary search', () => {
  const random = openRandom(deriveSeed('first place'))
  const faults: string[] = []
  const seen = { none: 0, first: 0, last: 0, far: 0 }
  for (let draw = 0; draw < 20_000; draw += 1) {
    const low = random.below(50)
    const high = low + random.below(2000)
    const wanted = low + random.below(high - low + 1)
    const estimates = [
      wanted,
      random.below(4000) - 1000,
      Number.NEGATIVE_INFINITY,
      Number.POSITIVE_INFINITY,
      Number.NaN,
    ]
    const estimate = estimates[random.below(5)] ?? 0
    const step = 1 + random.below(16)
    const { place, looks } = search(low, high, estimate, step, wanted)
    const times = Number.isNaN(estimate) ? 1 : 3
    const isFast = looks <= times * Math.ceil(Math.log2(high - low + 1))
    if (place !== wanted || !isFast) faults.push(`${low} ${high} ${estimate} ${step}: ${place}, ${looks}`)
    if (low === high) seen.none += 1
    else if (wanted === low) seen.first += 1
    else if (wanted === high) seen.last += 1
    else if (Math.abs(estimate - wanted) > 1000) seen.far += 1
  }
  expect(faults).toEqual([])
  for (const [kind, times] of Object.entries(seen)) expect(times, kind).toBeGreaterThan(3)
})

it('a right estimate takes the same number of comparisons in any range', () => {
  for (const size of [1000, 1_000_000_000])
    for (const off of [-3, 0, 3]) {
      const { place, looks } = search(0, size, 500 + off, 4, 500)
      expect(place).toBe(500)
      expect(looks, `${size} ${off}`).toBeLessThanOrEqual(4)
    }
})
