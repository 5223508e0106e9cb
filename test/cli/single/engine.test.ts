import { describe, expect, it } from 'vitest'
import { lazyEngine } from '../../../src/cli/single/engine.ts'

/** Native functions crash on another object; this one would give another answer. */
const native = {
  size: 1,
  isOwn(): boolean {
    return this === native
  },
}

describe('the engine of the single executable', () => {
  it('is loaded when something other than a constant is first used, once, and called on itself', () => {
    let loads = 0
    const engine = lazyEngine({ size: 1 }, () => {
      loads += 1
      return native
    })
    expect([engine.size, engine.__esModule, String(engine), loads]).toEqual([
      1,
      undefined,
      '[object Object]',
      0,
    ])
    const isOwn = () => (engine.isOwn as () => boolean)()
    expect([isOwn(), isOwn(), loads]).toEqual([true, true, 1])
  })

  it('is loaded again after a failure', () => {
    let loads = 0
    const engine = lazyEngine({}, () => {
      loads += 1
      if (loads === 1) throw new Error('no space is left')
      return native
    })
    expect(() => engine.isOwn).toThrow('no space is left')
    expect((engine.isOwn as () => boolean)()).toBe(true)
  })
})
