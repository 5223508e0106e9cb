import { describe, expect, it } from 'vitest'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import type { DataFile } from '../../src/lake/facts/data-file.ts'
import { groupColumns } from '../../src/lake/facts/group-series.ts'
import { GroupStatistics } from '../../src/lake/facts/group-statistics.ts'
import type { Group, SourceInFile } from '../../src/lake/facts/source.ts'

/** One row of a made-up table, and where it lies. */
interface PlainRow {
  readonly file: string
  readonly position: number
  readonly period: bigint
  readonly type: string
  readonly source: string
  readonly amounts: Readonly<Record<string, bigint>>
}

interface MadeUpGroup {
  readonly source: string
  readonly day: string
  readonly type: string
  readonly rows: readonly Readonly<Record<string, bigint>>[]
}

const micros = (text: string) => BigInt(Date.parse(text)) * 1000n
const bytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))

function compareGroups(a: { period: bigint; type: string; source: string }, b: typeof a): number {
  if (a.period !== b.period) return a.period < b.period ? -1 : 1
  return bytes(a.type, b.type) || bytes(a.source, b.source)
}

/** A file as the log tells it, its groups in the order given, and the rows that it stands for. */
function madeUpFile(path: string, groups: readonly MadeUpGroup[]): { file: DataFile; rows: PlainRow[] } {
  const names = [...new Set(groups.map((group) => group.source))]
  const sources = names.map((name): SourceInFile => {
    const own = groups.filter((group) => group.source === name)
    return {
      kind: 'iot_reward_share',
      name,
      sha256: 'ab'.repeat(32),
      rows: own.reduce((sum, group) => sum + group.rows.length, 0),
      refused: 0,
      groups: own.map(toGroup),
    }
  })
  const rows = groups
    .flatMap(({ source, day, type, rows }) =>
      rows.map((amounts) => ({ file: path, period: micros(day), type, source, amounts })),
    )
    .sort(compareGroups)
    .map((row, position) => ({ ...row, position }))
  const file = {
    path,
    partition: null,
    bytes: 1,
    lacks: [],
    rows: rows.length,
    sha256: 'cd'.repeat(32),
    sources,
    chunks: [],
  }
  return { file, rows }
}

function toGroup({ day, type, rows }: MadeUpGroup): Group {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const sums = columns.map((column) => [column, rows.reduce((sum, row) => sum + (row[column] ?? 0n), 0n)])
  return {
    period: micros(day),
    type,
    rows: rows.length,
    sums: Object.fromEntries(sums) as Record<string, bigint>,
  }
}

/** So many rows of one column. */
const rowsOf = (column: string, ...values: bigint[]) => values.map((value) => ({ [column]: value }))

/** Three files of two months; sources out of order, several sources at the same time and type. */
const made = [
  madeUpFile('february', [
    { source: 'z', day: '2025-02-02', type: 'operational_reward', rows: rowsOf('amount', 2n ** 64n - 1n) },
    { source: 'z', day: '2025-02-02', type: 'gateway_reward', rows: rowsOf('beacon_amount', 4n, 5n) },
    { source: 'a', day: '2025-02-01', type: 'unallocated_reward', rows: rowsOf('amount', 7n, 0n) },
  ]),
  madeUpFile('january', [
    { source: 'm', day: '2025-01-31', type: 'gateway_reward', rows: rowsOf('beacon_amount', 1n, 2n, 3n) },
    { source: 'é', day: '2025-01-30', type: 'gateway_reward', rows: rowsOf('witness_amount', 9n) },
    { source: '\u{1f600}', day: '2025-01-30', type: 'gateway_reward', rows: rowsOf('beacon_amount', 6n) },
    { source: 'b', day: '2025-01-31', type: 'operational_reward', rows: rowsOf('amount', 2n ** 64n - 1n) },
    { source: 'b', day: '2025-01-31', type: 'gateway_reward', rows: rowsOf('beacon_amount', 10n, 20n) },
  ]),
  madeUpFile('january, committed later', [
    { source: 'c', day: '2025-01-31', type: 'gateway_reward', rows: rowsOf('beacon_amount', 100n, 200n) },
    { source: '\uff5a', day: '2025-01-30', type: 'gateway_reward', rows: rowsOf('beacon_amount', 8n) },
    { source: 'c', day: '2025-01-31T12:00:00Z', type: 'gateway_reward', rows: rowsOf('beacon_amount', 50n) },
  ]),
  madeUpFile('no rows', []),
]
const statistics = GroupStatistics.of(made.map(({ file }) => file))
const allRows = made.flatMap(({ rows }) => rows).sort(compareGroups)

const ALWAYS = { from: micros('2000-01-01'), to: micros('2100-01-01') }
const ranges = [
  ['everything', ALWAYS],
  ['one instant', { from: micros('2025-01-31'), to: micros('2025-01-31') }],
  ['one instant and type', { from: micros('2025-01-31'), to: micros('2025-01-31'), type: 'gateway_reward' }],
  ['a type over all time', { ...ALWAYS, type: 'operational_reward' }],
  ['a range that ends on a period', { from: micros('2025-01-30T00:00:01Z'), to: micros('2025-02-01') }],
  ['a range just before a period', { from: micros('2025-01-30'), to: micros('2025-02-01') - 1n }],
  ['a range just after a period', { from: micros('2025-01-31') + 1n, to: micros('2025-02-02') }],
  ['both months', { from: micros('2025-01-31T12:00:00Z'), to: micros('2025-02-02') }],
  ['a time before all periods', { from: micros('2001-01-01'), to: micros('2001-01-02') }],
  ['a time after all periods', { from: micros('2031-01-01'), to: micros('2031-01-02') }],
  ['a type that nobody has', { ...ALWAYS, type: 'radio_reward' }],
  ['the widest range there is', { from: -(2n ** 63n), to: 2n ** 63n - 1n }],
] as const

type Range = (typeof ranges)[number][1]

function matching(range: Range): readonly PlainRow[] {
  const type = 'type' in range ? range.type : undefined
  return allRows.filter(
    (row) => row.period >= range.from && row.period <= range.to && (type === undefined || row.type === type),
  )
}

describe.each(ranges)('over %s', (_, range) => {
  const rows = matching(range)

  it(`the number of rows is ${rows.length}`, () => {
    expect(statistics.count(range)).toBe(rows.length)
  })

  it('sums equal the sums of the rows, and are 0 for a column without values', () => {
    const columns = ['amount', 'beacon_amount', 'witness_amount', 'dc_transfer_amount']
    const plain = columns.map((column) => [
      column,
      rows.reduce((sum, row) => sum + (row.amounts[column] ?? 0n), 0n),
    ])
    expect(statistics.sums(range, columns)).toEqual(Object.fromEntries(plain))
  })

  it('any page is located at its rows, in their order', () => {
    for (let offset = 0; offset <= rows.length + 2; offset += 1) {
      for (let limit = 0; limit <= rows.length + 2; limit += 1) {
        const located = statistics.locate(range, offset, limit)
        const places = located.flatMap(({ file, first, end }) =>
          Array.from({ length: end - first }, (_, at) => `${file} ${first + at}`),
        )
        const plain = rows.slice(offset, offset + limit).map((row) => `${row.file} ${row.position}`)
        expect(places).toEqual(plain)
      }
    }
  })

  it('adjacent ranges are merged, and none is empty', () => {
    expect(statistics.locate(range, rows.length, 1)).toEqual([])
    for (let offset = 0; offset < rows.length; offset += 1) {
      const located = statistics.locate(range, offset, rows.length)
      for (const [index, stretch] of located.entries()) {
        expect(stretch.end).toBeGreaterThan(stretch.first)
        const before = located[index - 1]
        expect(before?.file === stretch.file && before.end === stretch.first).toBe(false)
      }
    }
  })
})

it('the test table has ties, several files at one instant, and a sum beyond 64 bits', () => {
  expect(allRows).toHaveLength(17)
  const tied = allRows.filter((row) => row.period === micros('2025-01-31') && row.type === 'gateway_reward')
  expect(tied.map((row) => [row.source, row.file])).toEqual([
    ['b', 'january'],
    ['b', 'january'],
    ['c', 'january, committed later'],
    ['c', 'january, committed later'],
    ['m', 'january'],
    ['m', 'january'],
    ['m', 'january'],
  ])
  expect(statistics.sums(ALWAYS, ['amount'])).toEqual({ amount: 36_893_488_147_419_103_237n })
})

it('periods are listed once, in order', () => {
  expect(statistics.periods).toEqual(
    ['2025-01-30', '2025-01-31', '2025-01-31T12:00:00Z', '2025-02-01', '2025-02-02'].map(micros),
  )
})

it('a table without groups has no group columns', () => {
  expect(groupColumns({ ...iotRewardShares, statistics: undefined } as never)).toEqual({})
})

it('a table without files has no rows, no sums and no periods', () => {
  const empty = GroupStatistics.of([])
  expect(empty.count(ALWAYS)).toBe(0)
  expect(empty.sums(ALWAYS, ['amount'])).toEqual({ amount: 0n })
  expect(empty.locate(ALWAYS, 0, 10)).toEqual([])
  expect(empty.periods).toEqual([])
})
