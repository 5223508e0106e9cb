import { expect, it } from 'vitest'
import type { Predicate } from '../../src/catalog/query/plan.ts'
import { filesWithin } from '../../src/lake/snapshot/files-within.ts'

type Values = readonly (readonly [least: bigint, most: bigint])[]
const ascending: Values = [
  [1n, 4n],
  [4n, 4n],
  [5n, 9n],
  [9n, 20n],
]
const mixed: Values = [...ascending.slice(0, 3), [2n, 20n], [30n, 31n]]

/** Files with the values of a column, in two chunks each; without bounds where the log does not say. */
const filesOf = (values: Values, unknown = -1) =>
  values.map(([least, most], at) => ({
    path: String(at),
    chunks: [
      { first: 0, rows: 1, bounds: at === unknown ? {} : { block: [least, least] as const }, counts: {} },
      { first: 1, rows: 1, bounds: at === unknown ? {} : { block: [most, most] as const }, counts: {} },
    ],
  }))

it.each([
  ['in order', ascending, -1],
  ['in no order', mixed, -1],
  ['of which one is not known', mixed, 4],
  ['of which the first is not known', ascending, 0],
])(
  'files %s are excluded if they cannot have a value, and files without known bounds never',
  (_, values, unknown) => {
    const files = filesOf(values, unknown)
    const placesOf = (...where: readonly Predicate[]) =>
      filesWithin(files, 'block', where).map(({ path }) => Number(path))
    const ask = (match: 'equals' | 'atLeast' | 'atMost', value: bigint): Predicate => ({
      ...{ column: 'block', match, value },
    })
    let left = 0
    for (let value = 0n; value < 33n; value += 1n) {
      const known = (isThere: (one: readonly bigint[]) => boolean) =>
        values.flatMap((one, at) => (at === unknown || isThere(one) ? [at] : []))
      const [equal, from, to] = [
        known(([least = 0n, most = 0n]) => least <= value && value <= most),
        known(([, most = 0n]) => most >= value),
        known(([least = 0n]) => least <= value),
      ]
      expect(placesOf(ask('equals', value))).toEqual(equal)
      expect(placesOf(ask('atLeast', value))).toEqual(from)
      expect(placesOf(ask('atMost', value))).toEqual(to)
      expect(placesOf(ask('atLeast', value), ask('atMost', value))).toEqual(equal)
      left += values.length - equal.length
    }
    expect(left).toBeGreaterThan(50)
  },
)

it('a file can have the values of any of its chunks, in any order of chunks', () => {
  const chunks = [
    { first: 0, rows: 1, bounds: { block: [7n, 9n] as const }, counts: {} },
    { first: 1, rows: 1, bounds: { block: [1n, 3n] as const }, counts: {} },
  ]
  const list = [
    { path: 'falling', chunks },
    { path: 'other', chunks: chunks.slice(0, 1) },
  ]
  const found = (value: bigint) =>
    filesWithin(list, 'block', [{ column: 'block', match: 'equals', value }]).map(({ path }) => path)
  expect([1n, 8n, 10n].map(found)).toEqual([['falling'], ['falling', 'other'], []])
})

it('predicates on other columns, and sets of values, exclude no file', () => {
  const all = [0, 1, 2, 3]
  const files = filesOf(ascending)
  const placesOf = (...where: readonly Predicate[]) =>
    filesWithin(files, 'block', where).map(({ path }) => Number(path))
  expect(placesOf()).toEqual(all)
  expect(placesOf({ column: 'hash', match: 'equals', value: 'x' })).toEqual(all)
  expect(placesOf({ column: 'block', match: 'anyOf', value: ['x'] })).toEqual(all)
})
