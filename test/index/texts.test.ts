import { expect, it } from 'vitest'
import { FenceWriter, openFences } from '../../src/index/blocks/fences.ts'
import { compareText, SearchText } from '../../src/index/blocks/search-value.ts'
import type { StoredColumn } from '../../src/index/blocks/stored-columns.ts'
import { readTextList } from '../../src/index/blocks/text-list.ts'

/** Equal heads, heads that lack bytes, bytes of 0 and beyond ASCII. */
const words = [
  '',
  '\0',
  'a',
  'a\0',
  'a\0\0\0\0',
  'abcd',
  'abcd\0',
  'abcde',
  'abcdf',
  'abce',
  'ä',
  '漢',
  '🛰',
  'ÿ',
]

/** The length of each in 4 bytes, then the texts. */
function bytesOf(texts: readonly string[]): Buffer {
  const all = texts.map((text) => Buffer.from(text))
  return Buffer.concat([Buffer.from(Uint32Array.from(all.map((one) => one.length)).buffer), ...all])
}

const expected = (own: string, other: string) =>
  Math.sign(Buffer.compare(Buffer.from(own), Buffer.from(other)))

it('texts are compared by their bytes, even if their stored prefixes are equal', () => {
  const texts = readTextList(Buffer.concat([Buffer.from('----'), bytesOf(words)]), 4, words.length)
  const headAt = (place: number) => texts.places[place * 2]
  const seen = new Set<number>()
  for (const [place, own] of words.entries())
    for (const other of words) {
      const difference = Math.sign(compareText(texts, place, new SearchText(other)))
      expect(difference, `${JSON.stringify(own)} and ${JSON.stringify(other)}`).toBe(expected(own, other))
      seen.add(headAt(place) === new SearchText(other).head ? 0 : difference)
    }
  expect([...seen].sort()).toEqual([-1, 0, 1])
  expect(new Set(words.map((_, place) => headAt(place))).size).toBeLessThan(words.length)
})

it('the first texts of blocks are compared by their bytes', () => {
  const leading = { name: 'place', as: 'text' } as StoredColumn
  const gathered = new FenceWriter(leading)
  for (const word of words) gathered.add(word)
  const fences = openFences(leading, gathered.take(), words.length - 1)
  for (const [block, own] of words.entries())
    for (const other of words)
      expect(Math.sign(fences.compare(block, new SearchText(other)))).toBe(expected(own, other))
})

it('a list with fewer texts than its count throws a RangeError', () => {
  expect(() => readTextList(bytesOf(words), 0, 1000)).toThrow(RangeError)
  expect(() => readTextList(Buffer.alloc(0), 0, 2 ** 32 - 1)).toThrow(RangeError)
})
