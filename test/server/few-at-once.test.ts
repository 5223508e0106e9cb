import { expect, it } from 'vitest'
import { fewAtOnce } from '../../src/server/concurrency/few-at-once.ts'
import { shareWork } from '../../src/server/concurrency/shared-work.ts'

/** A job that ends when it is let go. */
function job() {
  let letGo = (_value: string) => {}
  let begun = 0
  const ended = new Promise<string>((resolve) => {
    letGo = resolve
  })
  return {
    letGo: (value: string) => letGo(value),
    begun: () => begun,
    begin: () => {
      begun += 1
      return ended
    },
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))
const staying = new AbortController().signal

it('jobs begin in their turn, and one more than may wait is refused', async () => {
  const few = fewAtOnce(1, 2, 'Too many.')
  const [first, second, third] = [job(), job(), job()]
  const done = [first, second, third].map((one) => few(staying, one.begin))
  await expect(few(staying, job().begin)).rejects.toMatchObject({ code: 'overloaded', message: 'Too many.' })
  await turn()
  expect([first.begun(), second.begun(), third.begun()]).toEqual([1, 0, 0])
  first.letGo('one')
  await turn()
  expect([second.begun(), third.begun()]).toEqual([1, 0])
  second.letGo('two')
  third.letGo('three')
  expect(await Promise.all(done)).toEqual(['one', 'two', 'three'])
})

it('a job that is given up makes room at once, whether it runs, waits, or is let in at that moment', async () => {
  const few = fewAtOnce(1, 3, 'Too many.')
  const leaving = [new AbortController(), new AbortController(), new AbortController()]
  const done = leaving.map(({ signal }) => few(signal, job().begin).catch((error: Error) => error.message))
  const last = job()
  const stayed = few(staying, last.begin)
  await turn()
  leaving[1]?.abort(new Error('waits'))
  leaving[0]?.abort(new Error('runs'))
  // Its turn has come, but it has not heard of it yet.
  await Promise.resolve()
  leaving[2]?.abort(new Error('let in'))
  expect(await Promise.all(done)).toEqual(['runs', 'waits', 'let in'])
  last.letGo('last')
  expect(await stayed).toBe('last')
  await expect(few(leaving[0]?.signal ?? staying, job().begin)).rejects.toThrow('runs')
})

it('a job that fails makes room, and its error is that of the caller', async () => {
  const few = fewAtOnce(1, 0, 'Too many.')
  await expect(few(staying, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  expect(await few(staying, async () => 'next')).toBe('next')
})

it('shared work ends when the last caller is gone, and the next one begins it anew', async () => {
  const work = shareWork<string>()
  const signals: AbortSignal[] = []
  const one = job()
  const begin = (signal: AbortSignal) => {
    signals.push(signal)
    return one.begin()
  }
  const [first, second] = [new AbortController(), new AbortController()]
  const outcomes = [first, second].map(({ signal }) => work.of('a', signal, begin).catch(() => 'gone'))
  first.abort()
  await turn()
  expect([signals.length, signals[0]?.aborted]).toEqual([1, false])
  second.abort()
  await turn()
  expect(signals[0]?.aborted).toBe(true)
  const again = work.of('a', staying, begin)
  expect(signals).toHaveLength(2)
  one.letGo('found')
  expect([...(await Promise.all(outcomes)), await again]).toEqual(['gone', 'gone', 'found'])
})
