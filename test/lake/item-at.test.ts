import { expect, it } from 'vitest'
import { itemAt } from '../../src/base/values/item-at.ts'

it('gives what is there, and never a value in the place of what is not', () => {
  expect([0, 1].map((place) => itemAt([0, 7], place))).toEqual([0, 7])
  for (const place of [-1, 2, 0.5])
    expect(() => itemAt([0, 7], place)).toThrow(`place ${place} of 2 was asked for`)
})
