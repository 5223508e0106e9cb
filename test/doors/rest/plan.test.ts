import { expect, it, vi } from 'vitest'
import { fail } from '../../../src/base/errors.ts'
import type { ReplyHead } from '../../../src/doors/pipeline/direct-route.ts'
import type { RestRequest } from '../../../src/doors/rest/handlers.ts'
import { Plan } from '../../../src/doors/rest/plan.ts'

const newPlan = () =>
  new Plan({} as RestRequest, {} as RestRequest, {} as ReplyHead, () => fail('internal', 'no search'))

it.each([
  ['a response', { type: 'text/plain', body: 'found' }],
  ['none, since it needs I/O', undefined],
])('a plan keeps %s of its first search', (_, ready) => {
  const plan = newPlan()
  const peek = vi.fn(() => ready)
  expect([plan.peekOnce(peek), plan.peekOnce(peek)]).toEqual([ready, ready])
  expect(peek).toHaveBeenCalledOnce()
})

it('a plan keeps the error of its first search', () => {
  const plan = newPlan()
  const peek = vi.fn(() => fail('not_found', 'hotspot not found'))
  expect(() => plan.peekOnce(peek)).toThrow('hotspot not found')
  expect(() => plan.peekOnce(peek)).toThrow('hotspot not found')
  expect(peek).toHaveBeenCalledOnce()
})
