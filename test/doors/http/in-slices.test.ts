import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { inSlices } from '../../../src/doors/http/in-slices.ts'

afterEach(() => void vi.restoreAllMocks())

/** Slices whose requests take so long each, by a clock that goes on with nothing else; and a turn of the event loop. */
function slicesOf(eachMs: number) {
  const clock = { now: 0, begun: 0 }
  vi.spyOn(performance, 'now').mockImplementation(() => clock.now)
  const slices = inSlices(() => {
    clock.begun += 1
    clock.now += eachMs
  })
  const ask = (url: string) =>
    slices.begin({ url, socket: { destroyed: false } } as IncomingMessage, {} as ServerResponse)
  const turn = () => new Promise(setImmediate)
  return { ...slices, clock, ask, turn }
}

describe('requests that arrive together', () => {
  it('are started for 10 ms in each turn, however many there are', async () => {
    const { ask, turn, clock } = slicesOf(0.125)
    for (let index = 0; index < 1000; index += 1) ask('/page')
    expect(clock.begun).toBe(80)
    await turn()
    expect(clock.begun).toBe(160)
    for (let index = 0; index < 11; index += 1) await turn()
    expect(clock.begun).toBe(1000)
  })

  it('are started one in each turn if each takes longer than the slice', async () => {
    const { ask, turn, clock } = slicesOf(100)
    for (let index = 0; index < 3; index += 1) ask('/page')
    expect(clock.begun).toBe(1)
    await turn()
    expect(clock.begun).toBe(2)
    ask('/healthz?verbose')
    expect(clock.begun).toBe(3)
    await turn()
    expect(clock.begun).toBe(4)
  })
})

describe('a request', () => {
  it.each([
    ['/healthz', true],
    ['/base/readyz/?x=1', true],
    ['/up', true],
    ['/v1/net/l2/makers/up', false],
    ['/base/v1/net/l2/makers/readyz', false],
    ['/other?a=/up', false],
  ])('for %s is urgent: %s', (url, isUrgent) => {
    const { ask, clock } = slicesOf(100)
    ask('/page')
    ask(url)
    expect(clock.begun === 2).toBe(isUrgent)
  })
})

describe('connections that keep arriving', () => {
  it('delay requests by 20 ms, and by as much again after each slice', async () => {
    const { ask, turn, clock, noteConnection } = slicesOf(4)
    const turnWithConnection = async () => {
      noteConnection()
      clock.now += 1
      await turn()
    }
    noteConnection()
    for (let index = 0; index < 6; index += 1) ask('/page')
    const begun: number[] = []
    for (let index = 0; index < 43; index += 1) {
      await turnWithConnection()
      begun.push(clock.begun)
    }
    expect(begun.slice(0, 20).every((count) => count === 0)).toBe(true)
    expect(begun.slice(20, 41).every((count) => count === 3)).toBe(true)
    expect(begun[41]).toBe(6)
  })

  it('do not delay requests once they have ended', async () => {
    const { ask, turn, clock, noteConnection } = slicesOf(1)
    noteConnection()
    ask('/page')
    await turn()
    expect(clock.begun).toBe(0)
    await turn()
    expect(clock.begun).toBe(1)
  })
})
