import { expect, it } from 'vitest'
import { openMemoryTrigger } from '../../src/cli/serving/give-back.ts'
import { giveBackFreed } from '../../src/engine/duckdb/give-back.ts'

const MB = 2 ** 20

it('an idle process returns memory if it has much more than after the last return', () => {
  const seen = { rss: 200 * MB, busy: 0.1, now: 0 }
  const rest = openMemoryTrigger({ rss: () => seen.rss, busy: () => seen.busy, now: () => seen.now })
  const isDue = (change: Partial<typeof seen>) => {
    Object.assign(seen, change)
    return rest.isDue()
  }
  expect(isDue({})).toBe(false)
  expect(isDue({ rss: 220 * MB })).toBe(false)
  expect(isDue({ rss: 500 * MB, busy: 0.9 })).toBe(false)
  expect(isDue({ busy: 0.1 })).toBe(true)
  seen.rss = 300 * MB
  rest.done()
  expect(isDue({ rss: 360 * MB, now: 4000 })).toBe(false)
  expect(isDue({ now: 5000 })).toBe(true)
  expect(isDue({ rss: 320 * MB })).toBe(false)
  // What other parts give back counts too.
  expect(isDue({ rss: 250 * MB })).toBe(false)
  expect(isDue({ rss: 300 * MB })).toBe(true)
})

it('a process can return freed memory to the system repeatedly', async () => {
  await expect(giveBackFreed()).resolves.toBeUndefined()
  await expect(giveBackFreed()).resolves.toBeUndefined()
})
