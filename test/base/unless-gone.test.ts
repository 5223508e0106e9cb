import { getEventListeners } from 'node:events'
import { expect, it } from 'vitest'
import { unlessGone } from '../../src/base/unless-gone.ts'

/** An outcome that a test decides. */
function open() {
  let give: (value: number) => void = () => {}
  let refuse: (reason: Error) => void = () => {}
  const outcome = new Promise<number>((resolve, reject) => {
    give = resolve
    refuse = reject
  })
  return { outcome, give, refuse }
}

const gone = new Error('gone')

it('unlessGone settles as the work does, and removes its listener from the signal', async () => {
  const { signal } = new AbortController()
  const [well, ill] = [open(), open()]
  const waiting = [unlessGone(well.outcome, signal), unlessGone(ill.outcome, signal)]
  expect(getEventListeners(signal, 'abort')).toHaveLength(2)
  well.give(7)
  ill.refuse(new Error('broken'))
  await expect(waiting[0]).resolves.toBe(7)
  await expect(waiting[1]).rejects.toThrow('broken')
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

it('unlessGone rejects with the reason of the signal when it aborts, and ignores a later error of the work', async () => {
  const [stop, told] = [new AbortController(), [] as string[]]
  const { outcome, refuse } = open()
  const waiting = unlessGone(outcome, stop.signal, () => told.push('left'))
  stop.abort(gone)
  await expect(waiting).rejects.toBe(gone)
  expect(told).toEqual(['left'])
  refuse(new Error('later'))
  await new Promise((resolve) => setImmediate(resolve))
})

it('unlessGone rejects at once if the signal has already aborted', async () => {
  for (const outcome of [Promise.resolve(7), Promise.reject(new Error('broken')), open().outcome])
    await expect(unlessGone(outcome, AbortSignal.abort(gone))).rejects.toBe(gone)
})

it('unlessGone returns the value of the work without a signal', async () => {
  await expect(unlessGone(Promise.resolve(7), undefined)).resolves.toBe(7)
})
