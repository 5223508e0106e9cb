import { expect, it } from 'vitest'
import { iotRewardShares } from '../../../src/catalog/l2/iot-reward-shares.ts'
import type { SourceInFile } from '../../../src/lake/facts/source.ts'
import type { FileFacts } from '../../../src/lake/ports/file-writer.ts'
import { stageParts } from '../../../src/write/store/stage-files.ts'
import type { Store } from '../../../src/write/store/store.ts'
import { madeUpSource } from '../../support/tables/staged-files.ts'

/** Rows of each source in each part, by the names of both. */
type Parts = Readonly<Record<string, Readonly<Record<string, number>>>>

const factsOf = (rows: Readonly<Record<string, number>>): FileFacts => ({
  rows: Object.values(rows).reduce((sum, own) => sum + own, 0),
  ...{ columns: {}, chunks: [] },
  sources: Object.entries(rows).map(([source_file, own]) => ({ source_file, rows: own, groups: [] })),
})

/** What is staged of a file that is split so; and the files that were read back. */
async function staged(parts: Parts, sources: readonly SourceInFile[], known?: FileFacts) {
  const inspected: string[] = []
  const writer = {
    split: async () => Object.keys(parts),
    async inspect(_: unknown, path: string) {
      inspected.push(path)
      return factsOf(parts[path] ?? {})
    },
  }
  const store = { writer, run: {} } as unknown as Store
  const files = await stageParts(
    store,
    iotRewardShares,
    { path: 'whole', partition: '2025-01', sources },
    known,
  )
  const told = files.map(({ path, sources: own }) => [
    path,
    Object.fromEntries(own.map(({ name, rows, refused }) => [name, [rows, refused]])),
  ])
  return { inspected, told: Object.fromEntries(told) }
}

it('a source with rows in two parts is listed in both, with its rejects in the first', async () => {
  const sources = [
    madeUpSource('a', { rows: 3, refused: 1, retried: [7n] }),
    madeUpSource('b', { rows: 4, refused: 2 }),
    madeUpSource('none', { rows: 0, refused: 5 }),
  ]
  const { told, inspected } = await staged({ one: { a: 3, b: 1 }, two: { b: 2 }, three: { b: 1 } }, sources)
  expect(told).toEqual({
    one: { a: [3, 1], b: [1, 2] },
    two: { b: [2, 0] },
    three: { b: [1, 0], none: [0, 5] },
  })
  expect(inspected).toEqual(['one', 'two', 'three'])
})

it('a part with other rows than counted is refused', async () => {
  const sources = [madeUpSource('a', { rows: 3 })]
  await expect(staged({ one: { a: 1 }, two: { a: 1 } }, sources)).rejects.toThrow(
    'two does not hold what was written to it',
  )
})

it('a file that is not split is not read back', async () => {
  const { inspected } = await staged({ whole: { a: 1 } }, [madeUpSource('a')], factsOf({ a: 1 }))
  expect(inspected).toEqual([])
})
