import { expect, it } from 'vitest'
import {
  backgroundFailures,
  inBackground,
  listenToBackgroundErrors,
  logBackgroundErrorsTo,
  noteFailure,
  repeatAfter,
  repeatEvery,
} from '../../src/base/background.ts'
import { cleanUp } from '../support/clean-up.ts'
import { waitFor } from '../support/wait.ts'

/** The sentences that are logged during the test. */
function logged(): string[] {
  const sentences: string[] = []
  logBackgroundErrorsTo((error) => sentences.push((error as Error).message))
  cleanUp(async () => logBackgroundErrorsTo(() => {}))
  return sentences
}

it('work that fails at once or later is logged and counted under its task, and rejects nothing', async () => {
  const sentences = logged()
  await inBackground('first', () => {
    throw new Error('at once')
  })
  await inBackground('first', async () => Promise.reject(new Error('later')))
  await inBackground('second', () => 'fine')
  expect(sentences).toEqual(['first: at once', 'first: later'])
  expect([backgroundFailures().get('first'), backgroundFailures().get('second')]).toEqual([2, undefined])
})

it('each listener gets every error instead of the log, until it is removed', () => {
  const sentences = logged()
  const [first, second]: [string[], string[]] = [[], []]
  const removeFirst = listenToBackgroundErrors((error) => first.push((error as Error).message))
  const removeSecond = listenToBackgroundErrors((error) => {
    second.push((error as Error).message)
    throw new Error('no room')
  })
  noteFailure('of both', 'why')
  removeFirst()
  noteFailure('of the second', 'why')
  removeSecond()
  noteFailure('of none', 'why')
  expect([first, second, sentences]).toEqual([
    ['of both: why'],
    ['of both: why', 'of the second: why'],
    ['of none: why'],
  ])
})

it('a log that cannot be written stops no work', () => {
  logBackgroundErrorsTo(() => {
    throw new Error('no room')
  })
  cleanUp(async () => logBackgroundErrorsTo(() => {}))
  expect(() => noteFailure('unlogged', 'why')).not.toThrow()
  expect(backgroundFailures().get('unlogged')).toBe(1)
})

it.each([
  ['every', repeatEvery],
  ['again', repeatAfter],
] as const)(
  '%s goes on after a failure, has one run at a time, and stops after the one in progress',
  async (task, repeat) => {
    logged()
    let [runs, atOnce, most] = [0, 0, 0]
    const repetition = repeat(1, task, async () => {
      atOnce += 1
      most = Math.max(most, atOnce)
      await new Promise((resolve) => setTimeout(resolve, 3))
      atOnce -= 1
      runs += 1
      throw new Error('each time')
    })
    await waitFor(() => expect(runs).toBeGreaterThan(2))
    await repetition.stop()
    const stoppedAt = runs
    expect([most, atOnce]).toEqual([1, 0])
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(runs).toBe(stoppedAt)
  },
)
