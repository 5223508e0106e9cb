import { expect, test } from 'vitest'
import { ServiceError } from '../../../src/base/errors.ts'
import { tokenPrice } from '../../../src/write/sample/economy.ts'
import { dayOfEpoch, epochsOf } from '../../../src/write/sample/epochs.ts'

const options = { days: 5, hotspots: 10, seed: 1 }
test('the token changes on 31 January 2025', () => {
  const epochs = epochsOf({ ...options, days: 3, start: '2025-01-30' })
  expect(epochs.map((epoch) => epoch.mainToken)).toEqual([false, true, true])
})

test('consecutive days have 24 hours each from midnight UTC', () => {
  const epochs = epochsOf({ ...options, days: 3, start: '2024-02-28' })
  expect(epochs.map(dayOfEpoch)).toEqual(['2024-02-28', '2024-02-29', '2024-03-01'])
  expect(epochs[0]?.start).toBe(1_709_078_400_000_000n)
  expect(epochs[1]?.start).toBe(epochs[0]?.end)
})

test.each([
  [{ days: 0 }, 'days is 0'],
  [{ days: 1.5 }, 'days is 1.5'],
  [{ hotspots: -1 }, 'hotspots is -1'],
  [{ start: '2025-02-30' }, 'start is "2025-02-30"'],
  [{ start: '2025-01-01T00:00Z' }, 'start is "2025-01-01T00:00Z"'],
])('%j is refused with a sentence that names it', (wrong, sentence) => {
  expect(() => epochsOf({ ...options, ...wrong })).toThrow(ServiceError)
  expect(() => epochsOf({ ...options, ...wrong })).toThrow(sentence)
})

test('the price of the main token is the same on both networks and falls from January 2025 to June 2026', () => {
  const [early] = epochsOf({ ...options, days: 1, start: '2025-01-31' })
  const [late] = epochsOf({ ...options, days: 1, start: '2026-06-28' })
  if (early === undefined || late === undefined) throw new Error('no day')
  expect(tokenPrice(early, 'iot')).toBe(tokenPrice(early, 'mobile'))
  expect(Number(tokenPrice(early, 'iot')) / 1e8).toBeCloseTo(3.1, 0)
  expect(Number(tokenPrice(late, 'iot'))).toBeGreaterThan(23_500_000)
  expect(Number(tokenPrice(late, 'iot'))).toBeLessThan(27_400_000)
})
