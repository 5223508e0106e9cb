import type { FastifyReply } from 'fastify'
import { expect, it } from 'vitest'
import { openWorkQueue } from '../../../src/doors/gate/work-queue.ts'

/** A queue by a clock that is set by hand, and requests of one caller for work that takes 1 ms by its plan. */
function opened() {
  const clock = { now: 0 }
  const queue = openWorkQueue({ mostWaitMs: 3000, slots: { cheap: 1, costly: 1 }, now: () => clock.now })
  const request = { apiKey: null, ip: '192.0.2.1', method: 'GET', routeOptions: { url: '/page' } }
  const reply = { request, header: () => reply } as unknown as FastifyReply
  const ask = (job: () => Promise<unknown>, signal = new AbortController().signal) =>
    queue.inTurn(reply, { kind: 'page', ms: 1 }, signal, job)
  const estimate = async () => {
    let ms = 0
    await ask(async () => {
      ms = queue.load().backlogMs
    })
    return ms
  }
  return { clock, queue, ask, estimate }
}

it('failed work does not change the cost estimate, and work that was cancelled late raises it', async () => {
  const { clock, ask, estimate, queue } = opened()
  const fails = ask(async () => {
    clock.now += 4000
    throw new Error('the engine hangs')
  })
  await expect(fails).rejects.toThrow('the engine hangs')
  expect(await estimate()).toBe(1)
  const end = new AbortController()
  const late = ask(async () => {
    clock.now += 2
    end.abort(new Error('gone'))
  }, end.signal)
  await late
  expect(await estimate()).toBeGreaterThan(1)
  expect(queue.load()).toEqual({ waiting: 0, running: 0, backlogMs: 0, refused: 0 })
})
