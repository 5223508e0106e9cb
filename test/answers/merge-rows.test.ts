import { expect, it } from 'vitest'
import { compareRows, mergeRows, sortRows } from '../../src/answers/rows/merge-rows.ts'
import { text, whole } from '../../src/catalog/column.ts'
import type { Resource, Row } from '../../src/catalog/resource.ts'
import type { FoundRows } from '../../src/index/matching-rows.ts'
import { deriveSeed, openRandom } from '../../src/write/sample/random.ts'
import { scaled } from '../support/tier.ts'

const events: Resource = {
  name: 'events',
  doc: 'Events.',
  columns: { block: whole('Block.'), hash: text('Hash.'), list: whole('List that it is of.') },
  order: [{ column: 'block' }, { column: 'hash' }],
  partition: null,
}

/** Rows of a list, and how many were read. */
function listOf(rows: readonly Row[]): FoundRows & { readonly wasRead: () => number } {
  let read = 0
  return {
    total: rows.length,
    read(start, end, columns) {
      read += end - start
      return rows
        .slice(start, end)
        .map((row) => Object.fromEntries(columns.map((name) => [name, row[name] ?? null])))
    },
    wasRead: () => read,
  }
}

const random = openRandom(deriveSeed('merged'))
const drawList = (list: number, rows: number, blocks: number): readonly Row[] =>
  Array.from({ length: rows }, () => ({
    ...{ block: BigInt(random.below(blocks)), hash: `h${random.below(3)}`, list: BigInt(list) },
  })).sort((a, b) => compareRows(events.order, a, b))

it('merging sorted lists gives any window of all rows in order, with equal rows in the order of the lists', () => {
  for (let round = 0; round < scaled(300, 3000); round += 1) {
    const lists = Array.from({ length: 1 + random.below(4) }, (_, list) =>
      drawList(list, random.below(40), 1 + random.below(60)),
    )
    const all = lists.flat().sort((a, b) => compareRows(events.order, a, b))
    const merged = mergeRows(events, lists.map(listOf))
    expect(merged.total).toBe(all.length)
    const start = random.below(all.length + 2)
    const end = start + random.below(30)
    expect(merged.read(start, end, ['list', 'block', 'hash'])).toEqual(all.slice(start, end))
  }
})

it('a page in the middle of long lists reads few of their rows', () => {
  const lists = [0, 1, 2].map((list) => listOf(drawList(list, 20_000, 1_000_000)))
  expect(mergeRows(events, lists).read(30_000, 30_025, ['block'])).toHaveLength(25)
  expect(lists.reduce((sum, { wasRead }) => sum + wasRead(), 0)).toBeLessThan(1500)
})

it('at most a thousand rows in another order are sorted into the order of the table', () => {
  const rows = drawList(0, 1000, 50)
  const shuffled = [...rows].sort(
    (a, b) => Number(a.hash !== b.hash) || Number((b.block as bigint) - (a.block as bigint)),
  )
  const sorted = sortRows(events, listOf(shuffled))
  expect(sorted?.read(10, 40, ['block', 'hash', 'list'])).toEqual(rows.slice(10, 40))
  expect(sortRows(events, listOf([...rows, ...rows.slice(0, 1)]))).toBeUndefined()
})
