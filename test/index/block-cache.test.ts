import { expect, it } from 'vitest'
import { BlockCache, type CacheSlots } from '../../src/index/blocks/block-cache.ts'

it('recently used blocks are kept within the limit, and read once', () => {
  const cache = new BlockCache(30)
  const [letters, others]: [CacheSlots<string>, CacheSlots<string>] = [[], []]
  const read: string[] = []
  const reader = (start: number) => (at: number) => {
    const letter = String.fromCharCode(start + at)
    read.push(letter)
    return letter
  }
  const get = (at: number) => cache.get(letters, at, reader(97), () => 10)
  expect([0, 1, 2, 0, 3, 0, 1].map(get)).toEqual(['a', 'b', 'c', 'a', 'd', 'a', 'b'])
  expect(read).toEqual(['a', 'b', 'c', 'd', 'b'])
  expect(cache.bytes).toBe(30)
  // Nothing of another list is taken for it, and what was not used since makes room.
  expect(cache.get(others, 0, reader(65), () => 30)).toBe('A')
  expect([letters.filter((one) => one !== undefined), cache.bytes]).toEqual([[], 30])
  expect([get(0), cache.bytes]).toEqual(['a', 10])
})

it('a cache of 0 bytes keeps no block', () => {
  const cache = new BlockCache(0)
  const list: CacheSlots<number> = []
  let reads = 0
  const get = () =>
    cache.get(
      list,
      0,
      () => (reads += 1),
      () => 1,
    )
  expect([get(), get(), cache.bytes]).toEqual([1, 2, 0])
})
