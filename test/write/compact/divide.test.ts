import { describe, expect, it } from 'vitest'
import { iotRewardShares } from '../../../src/catalog/l2/iot-reward-shares.ts'
import type { SourceInFile } from '../../../src/lake/facts/source.ts'
import { TableSnapshot } from '../../../src/lake/snapshot/snapshot.ts'
import { divideSources } from '../../../src/write/compact/divide.ts'
import { scatteredPartitions } from '../../../src/write/compact/scattered-partitions.ts'
import { madeUpSource } from '../../support/tables/staged-files.ts'

/** A source with so many rows at each end of a period. */
function source(name: string, ends: Readonly<Record<number, number>>): SourceInFile {
  const groups = Object.entries(ends).map(([end, rows]) => {
    return { period: BigInt(end), type: 'gateway_reward', rows, sums: {} }
  })
  return madeUpSource(name, { groups, rows: groups.reduce((sum, { rows }) => sum + rows, 0) })
}

const divided = (...sources: readonly SourceInFile[]) =>
  divideSources(sources).map(({ from, to, rows, sources }) => [
    ...[from, to, rows].map(String),
    sources.map(({ name }) => name).join(),
  ])

describe('the sources of a month', () => {
  it('are divided into files of at most 1,966,080 rows, by end_period', () => {
    const days = [5, 1, 3, 2, 4].map((day) => source(`day${day}`, { [day]: 800_000 }))
    expect(divided(...days)).toEqual([
      ['1', '2', '1600000', 'day1,day2'],
      ['3', '4', '1600000', 'day3,day4'],
      ['5', '5', '800000', 'day5'],
    ])
    expect(divided(source('a', { 1: 1_966_079 }), source('b', { 2: 1 }), source('c', { 3: 1 }))).toEqual([
      ['1', '2', '1966080', 'a,b'],
      ['3', '3', '1', 'c'],
    ])
  })

  it('are never split, and stay with other sources of the same periods', () => {
    const long = source('long', { 2: 1, 4: 1 })
    const days = [1, 2, 3, 4, 5].map((day) => source(`day${day}`, { [day]: 1_600_000 }))
    expect(divided(...days, long)).toEqual([
      ['1', '1', '1600000', 'day1'],
      ['2', '4', '4800002', 'day2,long,day3,day4'],
      ['5', '5', '1600000', 'day5'],
    ])
  })

  it('are in the first file if they have no rows', () => {
    expect(divided(source('empty', {}), source('a', { 1: 5 }))).toEqual([['1', '1', '5', 'a,empty']])
    expect(divided(source('empty', {}), source('other', {}))).toEqual([['0', '0', '0', 'empty,other']])
  })
})

describe('files of a partition', () => {
  const file = (partition: string, own: SourceInFile) => ({
    ...{ path: own.name, lacks: [], partition, bytes: 1, sha256: '', chunks: [] },
    rows: own.rows,
    sources: [own],
  })
  const day = (number: number, rows = 10) => source(`day${number}`, { [number]: rows })

  /** The partitions worth compacting, when every file has row groups of so many rows. */
  async function scattered(
    files: readonly ReturnType<typeof file>[],
    months?: readonly string[],
    groupRows = 491_520,
    misread: readonly string[] = [],
  ): Promise<readonly string[]> {
    const rowsOf = new Map(files.map(({ path, rows }) => [path, rows]))
    const countRowGroups = async (path: string) => Math.ceil((rowsOf.get(path) ?? 0) / groupRows)
    const table = new TableSnapshot(iotRewardShares, { version: 0, committedAt: 0, entryDigest: '' }, files)
    const found = await scatteredPartitions(table, months, {
      countRowGroups,
      hasBinaryFilters: async (_, path) => misread.includes(path),
    })
    return found.map(({ partition, files }) => `${partition} ${files.map(({ path }) => path).join()}`)
  }

  it('are worth compacting as one file when it has Bloom filters that are misread', async () => {
    const files = [file('2025-01', day(1)), file('2025-02', day(2)), file('2025-03', day(3))]
    expect(await scattered(files, undefined, undefined, ['day2', 'day3'])).toEqual(['2025-02 day2'])
  })

  it('are worth compacting when fewer would do, except in the newest month', async () => {
    const files = [file('2025-01', day(1)), file('2025-01', day(2)), file('2025-02', day(3))]
    expect(await scattered(files)).toEqual(['2025-01 day1,day2'])
    const more = [...files, file('2025-02', day(4))]
    expect(await scattered(more)).toEqual(['2025-01 day1,day2'])
    expect(await scattered(more, ['2025-02'])).toEqual(['2025-02 day3,day4'])
  })

  it('are worth compacting when a file is too long and can be split', async () => {
    const days = source('days', { 1: 1_200_000 })
    const long = { ...file('2025-01', days), sources: [days, day(2, 1_200_000)], rows: 2_400_000 }
    expect(await scattered([long], ['2025-01'])).toEqual(['2025-01 days'])
    // A source stays whole, however long it is.
    expect(await scattered([file('2025-01', day(1, 3_600_000))], ['2025-01'])).toEqual([])
  })

  it('are not worth compacting when all are full, unless their row groups are small', async () => {
    const files = [file('2025-01', day(1, 1_200_000)), file('2025-01', day(2, 1_200_000))]
    expect(await scattered(files, ['2025-01'])).toEqual([])
    expect(await scattered(files, ['2025-01'], 10_240)).toEqual(['2025-01 day1,day2'])
  })
})
