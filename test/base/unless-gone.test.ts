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

it('gives the outcome, or its error, and listens to the signal no longer', async () => {
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

it('rejects with the reason of the signal, once it has told so, and an error that comes later harms nobody', async () => {
  const [stop, told] = [new AbortController(), [] as string[]]
  const { outcome, refuse } = open()
  const waiting = unlessGone(outcome, stop.signal, () => told.push('left'))
  stop.abort(gone)
  await expect(waiting).rejects.toBe(gone)
  expect(told).toEqual(['left'])
  refuse(new Error('later'))
  await new Promise((resolve) => setImmediate(resolve))
})

it('rejects at once for who is gone already, whatever the outcome is', async () => {
  for (const outcome of [Promise.resolve(7), Promise.reject(new Error('broken')), open().outcome])
    await expect(unlessGone(outcome, AbortSignal.abort(gone))).rejects.toBe(gone)
})

it('is the outcome where nobody can leave', async () => {
  await expect(unlessGone(Promise.resolve(7), undefined)).resolves.toBe(7)
})
