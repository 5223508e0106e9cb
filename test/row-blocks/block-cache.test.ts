import { expect, it } from 'vitest'
import { BlockCache } from '../../src/row-blocks/block-cache.ts'

it('what was used last is kept within the bound, and read once', () => {
  const cache = new BlockCache(30)
  const read: string[] = []
  const get = (key: string) =>
    cache.of(
      key,
      () => {
        read.push(key)
        return key.toUpperCase()
      },
      () => 10,
    )
  expect(['a', 'b', 'c', 'a', 'd', 'a', 'b'].map(get)).toEqual(['A', 'B', 'C', 'A', 'D', 'A', 'B'])
  expect(read).toEqual(['a', 'b', 'c', 'd', 'b'])
  expect(cache.bytes).toBe(30)
})

it('nothing is kept without memory, and no two files have one name', () => {
  const cache = new BlockCache(0)
  let reads = 0
  const get = () =>
    cache.of(
      'a',
      () => (reads += 1),
      () => 1,
    )
  expect([get(), get(), cache.bytes]).toEqual([1, 2, 0])
  expect(cache.nameFile()).not.toBe(cache.nameFile())
})
