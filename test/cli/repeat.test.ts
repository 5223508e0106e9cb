import { expect, it } from 'vitest'
import { repeat } from '../../src/cli/commands/sync/repeat.ts'

it('repeated runs continue after problems with growing delays, and the housekeeping follows the first success', async () => {
  const stop = new AbortController()
  const [problems, at]: [string[], number[]] = [[], []]
  let cared = 0
  const run = async () => {
    at.push(performance.now())
    if (at.length < 4) throw new Error(`no ${at.length}`)
    if (at.length === 6) stop.abort()
  }
  const care = async () => {
    cared += 1
  }
  await repeat(run, care, 40, stop.signal, (sentence) => problems.push(sentence))
  expect(problems).toEqual(['no 1', 'no 2', 'no 3'])
  const waits = at.slice(1).map((time, place) => Math.round((time - (at[place] ?? 0)) / 40))
  expect(waits[1]).toBeGreaterThanOrEqual(2)
  expect(waits[2]).toBeGreaterThanOrEqual(4)
  expect(cared).toBe(1)
})
