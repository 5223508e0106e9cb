import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, it, vi } from 'vitest'
import type { Gate } from '../../../src/doors/gate/gate.ts'
import { openPipeline } from '../../../src/doors/pipeline/pipeline.ts'

it('a request whose client leaves while it is counted is returned to the quota, and goes no further', () => {
  const reservation = { spend: vi.fn(), release: vi.fn() }
  let goOn = () => {}
  const gate = {
    isLocked: () => true,
    keyOf: () => ({ id: 'key' }),
    hasWaiting: () => false,
    admit: (_key: unknown, _needs: unknown, done: (admitted: object) => void) => {
      goOn = () => done({ headers: [], reservation, refusal: undefined })
    },
  }
  const answer = vi.fn()
  const pipeline = openPipeline({
    gate: () => gate as unknown as Gate,
    cors: { headersFor: () => [], varies: false },
    sent: { find: () => undefined, keep: () => {}, follow: () => {} },
    send: vi.fn(),
    isClosing: () => false,
    pathOf: ({ url = '' }) => url,
  })
  pipeline.add({ path: '/makers', isNegotiated: false, needs: [], answer })
  const message = Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url: '/makers' })
  const response = new ServerResponse(message)
  const next = vi.fn()
  pipeline.before(next)(message, response)
  response.destroy()
  goOn()
  expect(reservation.release).toHaveBeenCalledOnce()
  expect([reservation.spend, next, answer].map((call) => call.mock.calls)).toEqual([[], [], []])
})
