import { expect, it } from 'vitest'
import { cutRanges } from '../../src/answers/rows/cut-ranges.ts'

const a = { file: 'a', first: 0, end: 10 }
const b = { file: 'b', first: 5, end: 20 }
const c = { file: 'c', first: 0, end: 4 }

it.each([
  ['begins within a range', 3, 4, [{ file: 'a', first: 3, end: 7 }]],
  [
    'begins in one range and ends in the next',
    7,
    6,
    [
      { ...a, first: 7 },
      { ...b, end: 8 },
    ],
  ],
  ['begins where a range ends', 10, 2, [{ ...b, end: 7 }]],
  ['spans three ranges', 9, 17, [{ ...a, first: 9 }, b, { ...c, end: 1 }]],
  ['ends with the last row', 28, 100, [{ ...c, first: 3 }]],
  ['is past the end', 29, 5, []],
])('a page that %s is cut from three consecutive ranges', (_, offset, limit, expected) => {
  expect(cutRanges([a, b, c], offset, limit)).toEqual(expected)
})
