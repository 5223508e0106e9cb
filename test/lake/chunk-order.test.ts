import { describe, expect, it } from 'vitest'
import type { Predicate } from '../../src/catalog/query/plan.ts'
import type { Chunk } from '../../src/lake/facts/chunk.ts'
import { rowsMatching } from '../../src/lake/facts/chunk-match.ts'
import {
  type Candidate,
  candidatesWithin,
  rangesInOrder,
  stretchesOf,
} from '../../src/lake/snapshot/chunk-order.ts'
import { deriveSeed, openRandom } from '../../src/write/sample/random.ts'

function chunk(first: number, least: number, most: number): Chunk {
  return { first, rows: 1, bounds: { block: [BigInt(least), BigInt(most)] }, counts: {} }
}

function candidate(file: string, first: number, least: number, most: number): Candidate {
  return { file, chunk: chunk(first, least, most), matching: undefined }
}

const arrange = (candidates: readonly Candidate[]) => stretchesOf(candidates, 'block')

const names = (stretches: readonly (readonly Candidate[])[]) =>
  stretches.map((stretch) => stretch.map(({ file, chunk }) => `${file}${chunk.first}`).join(' '))

describe('chunks in the order of a table', () => {
  it.each([
    ['of one file that share a block', [candidate('a', 0, 1, 5), candidate('a', 1, 5, 9)], ['a0', 'a1']],
    ['of files one after the other', [candidate('b', 0, 6, 9), candidate('a', 0, 1, 5)], ['a0', 'b0']],
    ['of files that meet in a block', [candidate('a', 0, 1, 5), candidate('b', 0, 5, 9)], ['a0 b0']],
    [
      'of a long file that another one touches at its end',
      [candidate('a', 0, 1, 5), candidate('a', 1, 5, 8), candidate('a', 2, 8, 9), candidate('b', 0, 9, 9)],
      ['a0', 'a1', 'a2 b0'],
    ],
    [
      'of which one block reaches back two chunks',
      [candidate('a', 0, 1, 5), candidate('a', 1, 5, 9), candidate('b', 0, 5, 7)],
      ['a0 a1 b0'],
    ],
  ])('%s form the expected ranges', (_, candidates, expected) => {
    const found = names(arrange(candidates)).map((name) => name.split(' ').sort().join(' '))
    expect(found).toEqual(expected)
  })

  it('of unknown bounds are one range', () => {
    const unknown = { ...candidate('b', 0, 1, 2), chunk: { first: 0, rows: 9, bounds: {}, counts: {} } }
    expect(arrange([candidate('a', 0, 1, 2), unknown])).toHaveLength(1)
  })

  it('are cut exactly where the order allows', () => {
    const random = openRandom(deriveSeed('stretches'))
    for (let round = 0; round < 3000; round += 1) {
      const candidates = drawCandidates(random)
      const stretches = arrange(candidates)
      expect(stretches.flat()).toHaveLength(candidates.length)
      const all = stretches.flat()
      const cuts = new Set(stretches.map((_, index) => stretches.slice(0, index).flat().length))
      for (let place = 1; place < all.length; place += 1) {
        const isRight = all
          .slice(0, place)
          .every((before) => all.slice(place).every((after) => precedes(before, after)))
        expect(cuts.has(place), JSON.stringify(names(stretches))).toBe(isRight)
      }
    }
  })

  it('give the order of a table if its files follow each other, and none if they interleave', () => {
    const file = (path: string, ...chunks: Chunk[]) => ({ path, chunks, rows: chunks.length })
    const [a, b] = [file('a', chunk(0, 5, 5), chunk(1, 6, 9)), file('b', chunk(0, 1, 4))]
    expect(rangesInOrder([a, b], 'block')).toEqual([
      { file: 'b', first: 0, end: 1 },
      { file: 'a', first: 0, end: 2 },
    ])
    expect(rangesInOrder([a, file('b', chunk(0, 1, 5))], 'block')).toBeUndefined()
  })
})

describe('the rows of a file that can match', () => {
  const counted = (first: number, least: bigint): Chunk => ({
    ...{ first, rows: 10, bounds: { block: [least, least + 9n] as const } },
    counts: { type: { fee: 4, oui: 6 } },
  })
  const file = { path: 'a', rows: 30, chunks: [counted(0, 0n), counted(10, 10n), counted(20, 20n)] }
  const found = (where: readonly Predicate[], first?: number, end?: number) =>
    candidatesWithin(file, where, first, end).map(({ chunk, matching }) => [
      chunk.first,
      chunk.rows,
      matching,
    ])
  const fee: Predicate = { column: 'type', match: 'equals', value: 'fee' }

  it('lie in the chunks that count some', () => {
    expect(found([fee, { column: 'block', match: 'atLeast', value: 10n }])).toEqual([
      [10, 10, 4],
      [20, 10, 4],
    ])
  })

  it('lie in parts of the chunks at the ends of a range, which are counted only if all rows match', () => {
    expect(found([fee], 5, 25)).toEqual([
      [5, 5, undefined],
      [10, 10, 4],
      [20, 5, undefined],
    ])
    expect(found([], 5, 12)).toEqual([
      [5, 5, 5],
      [10, 2, 2],
    ])
  })

  it('are one candidate if the log does not describe all chunks', () => {
    const undescribed = { ...file, chunks: file.chunks.slice(0, 2) }
    expect(candidatesWithin(undescribed, [fee], 3, 30)).toMatchObject([
      { file: 'a', chunk: { first: 3, rows: 27 }, matching: undefined },
    ])
  })
})

function drawCandidates(random: ReturnType<typeof openRandom>): readonly Candidate[] {
  return ['a', 'b', 'c'].slice(0, 1 + random.below(3)).flatMap((file) => {
    let least = random.below(8)
    return Array.from({ length: 1 + random.below(4) }, (_, first) => {
      const most = least + random.below(4)
      const drawn = candidate(file, first, least, most)
      least = most + random.below(2)
      return drawn
    })
  })
}

/** Every row of the one comes before every row of the other. */
function precedes(a: Candidate, b: Candidate): boolean {
  if (a.file === b.file) return a.chunk.first < b.chunk.first
  return (a.chunk.bounds.block?.[1] ?? 0n) < (b.chunk.bounds.block?.[0] ?? 0n)
}

describe('the number of matching rows of a chunk', () => {
  const known: Chunk = {
    first: 0,
    rows: 100,
    bounds: { block: [10n, 20n], address: ['1b', '1d'] },
    counts: { type: { fee: 60, oui: 40 } },
  }
  const is = (column: string, value: bigint | string): Predicate => ({ column, match: 'equals', value })
  const from = (value: bigint): Predicate => ({ column: 'block', match: 'atLeast', value })
  const to = (value: bigint): Predicate => ({ column: 'block', match: 'atMost', value })

  it.each([
    ['no predicate', [], 100],
    ['a type', [is('type', 'fee')], 60],
    ['a type that nobody has', [is('type', 'toString')], 0],
    ['a block outside', [is('block', 9n)], 0],
    ['a block inside', [is('block', 10n)], undefined],
    ['a range around all', [from(10n), to(20n)], 100],
    ['a range around a part', [from(11n)], undefined],
    ['a range beyond', [from(21n)], 0],
    ['a range before', [to(9n)], 0],
    ['a type in a range around all', [from(1n), is('type', 'oui')], 40],
    ['a type in a range around a part', [to(19n), is('type', 'oui')], undefined],
    ['two types', [is('type', 'oui'), is('type', 'fee')], undefined],
    ['a part, and a type that nobody has', [to(19n), is('type', 'none')], 0],
    ['an address outside', [is('address', '1a')], 0],
    ['an address inside', [is('address', '1c')], undefined],
    ['one of two addresses, neither inside', [{ column: 'address', match: 'anyOf', value: ['1a', '1e'] }], 0],
    [
      'one of two addresses, one inside',
      [{ column: 'address', match: 'anyOf', value: ['1a', '1c'] }],
      undefined,
    ],
    ['a column that nothing is known of', [is('owner', 'x')], undefined],
    ['such a column, and a block outside', [is('owner', 'x'), is('block', 21n)], 0],
  ] as const)('follows from its bounds and counts for %s', (_, where, rows) => {
    expect(rowsMatching(known, where)).toBe(rows)
  })

  it('with a single value is all or none', () => {
    const single = { ...known, bounds: { address: ['1c', '1c'] as const } }
    expect(rowsMatching(single, [is('address', '1c')])).toBe(100)
    expect(rowsMatching(single, [is('address', '1c\u00e9')])).toBe(0)
  })
})
