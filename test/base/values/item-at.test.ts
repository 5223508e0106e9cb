import { expect, it } from 'vitest'
import { itemAt } from '../../../src/base/values/item-at.ts'

it('itemAt returns the item, and throws for an index outside of the list', () => {
  expect([0, 1].map((place) => itemAt([0, 7], place))).toEqual([0, 7])
  for (const place of [-1, 2, 0.5])
    expect(() => itemAt([0, 7], place)).toThrow(`place ${place} of 2 was asked for`)
})
