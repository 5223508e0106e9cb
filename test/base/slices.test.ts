import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import {
  isSliceOver,
  nextSlice,
  runAtOnce,
  runInSlices,
  type Steps,
  sortSteps,
} from '../../src/base/slices.ts'

/** A clock on which each step takes 4 ms, so that three of them fill a slice. */
let now = 0

beforeEach(async () => {
  now = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now)
  // Nothing is left of the slices of whatever ran before.
  await nextSlice()
  await setImmediate()
  await setImmediate()
})
afterEach(() => void vi.restoreAllMocks())

function* steps(name: string, count: number, seen: string[]): Steps<string> {
  for (let step = 0; step < count; step += 1) {
    now += 4
    seen.push(name)
    yield
  }
  return name
}

/** Notes each turn of the event loop. */
function noteTurns(seen: string[]): () => void {
  let isOver = false
  const turn = () => {
    seen.push('|')
    if (!isOver) globalThis.setImmediate(turn)
  }
  globalThis.setImmediate(turn)
  return () => {
    isOver = true
  }
}

it('a computation lets the event loop turn after 10 ms', async () => {
  const seen: string[] = []
  const end = noteTurns(seen)
  expect(await runInSlices(steps('a', 7, seen))).toBe('a')
  end()
  expect(seen.join('')).toBe('aaa|aaa|a')
})

it('two computations share the 10 ms of a turn, and take turns', async () => {
  const seen: string[] = []
  const end = noteTurns(seen)
  await Promise.all([runInSlices(steps('a', 7, seen)), runInSlices(steps('b', 7, seen))])
  end()
  const turns = seen.join('').split('|')
  expect(turns.filter((turn) => turn.length > 3)).toEqual([])
  expect(turns.join('')).toBe('aaaaaabbbabbbb')
})

it('a signal that aborts ends a computation before its next slice, with its reason', async () => {
  const seen: string[] = []
  const gone = new AbortController()
  const running = runInSlices(steps('a', 100, seen), gone.signal)
  gone.abort(new Error('gone'))
  await expect(running).rejects.toThrow('gone')
  expect(seen).toHaveLength(3)
})

it('many short waits in one turn count into one slice', async () => {
  const overs: boolean[] = []
  for (let step = 0; step < 4; step += 1) {
    overs.push(isSliceOver())
    now += 4
    await undefined
  }
  expect(overs).toEqual([false, false, false, true])
})

it('sorting in steps keeps equal items in their order, and yields in between', () => {
  const items = Array.from({ length: 10_000 }, (_, place) => ({ key: (place * 7919) % 101, place }))
  const sorting = sortSteps(items, (a, b) => a.key - b.key)
  let steps = 0
  let step = sorting.next()
  for (; step.done !== true; step = sorting.next()) steps += 1
  const expected = [...items].sort((a, b) => a.key - b.key || a.place - b.place)
  expect(step.value).toEqual(expected)
  expect(steps).toBeGreaterThan(10)
  expect(runAtOnce(sortSteps([], () => 0))).toEqual([])
})
