import { expect, it } from 'vitest'
import { BoundedMap } from '../../src/base/bounded-map.ts'

it('a full map evicts the key that was set first', () => {
  const map = new BoundedMap<string, number>(2)
  map.set('a', 1).set('b', 2).set('a', 3)
  expect([...map]).toEqual([
    ['a', 3],
    ['b', 2],
  ])
  map.set('c', 4)
  expect([...map]).toEqual([
    ['b', 2],
    ['c', 4],
  ])
})
