import { describe, expect, it } from 'vitest'
import { some } from '../support/some.ts'

describe('nothing to look at', () => {
  it('fails where cases were computed', () => {
    expect(() => it.each([])).toThrow('each was given no cases')
    expect(() => describe.each([])).toThrow('each was given no cases')
  })

  it('fails where a loop wants some', () => {
    expect(() => some([])).toThrow('there is nothing to look at')
    expect(() => some(undefined)).toThrow('there is nothing to look at')
    expect(some(new Set([1, 2]))).toEqual([1, 2])
  })
})
