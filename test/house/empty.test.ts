import { describe, expect, it } from 'vitest'
import { some } from '../support/some.ts'

describe('an empty list', () => {
  it('makes each throw', () => {
    expect(() => it.each([])).toThrow('each was given no cases')
    expect(() => describe.each([])).toThrow('each was given no cases')
  })

  it('makes some throw', () => {
    expect(() => some([])).toThrow('there is nothing to look at')
    expect(() => some(undefined)).toThrow('there is nothing to look at')
    expect(some(new Set([1, 2]))).toEqual([1, 2])
  })
})
