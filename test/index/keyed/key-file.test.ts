import { hash } from 'node:crypto'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runAtOnce } from '../../../src/base/slices.ts'
import {
  amount,
  boolean,
  bytes,
  decimal,
  eachOf,
  instant,
  integer,
  long,
  oneOf,
  optional,
  origin,
  text,
  type Value,
} from '../../../src/catalog/column.ts'
import { ALL_GROUPS } from '../../../src/catalog/query/group-range.ts'
import type { Resource, Row } from '../../../src/catalog/resource.ts'
import { BlockCache } from '../../../src/index/blocks/block-cache.ts'
import { openBlockFile } from '../../../src/index/blocks/block-file.ts'
import { BlockFileWriter } from '../../../src/index/blocks/block-file-writer.ts'
import { gatherRows } from '../../../src/index/keyed/build/gather-rows.ts'
import { KeyFileWriter } from '../../../src/index/keyed/build/key-file-writer.ts'
import { surveyRows } from '../../../src/index/keyed/build/survey-rows.ts'
import { openKeyFile } from '../../../src/index/keyed/key-file.ts'
import { rowsOfKey } from '../../../src/index/keyed/key-rows.ts'
import { sumKey } from '../../../src/index/keyed/key-sums.ts'
import { Sums } from '../../../src/index/keyed/plane-sums.ts'
import type { GroupKey } from '../../../src/lake/facts/group-series.ts'
import { deriveSeed, openRandom } from '../../../src/write/sample/random.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { scaled } from '../../support/tier.ts'

const resource: Resource = {
  name: 'things',
  doc: 'One of each kind.',
  columns: {
    ...origin,
    kind: text('Kind.'),
    ended: instant('End.'),
    hotspot_key: text('Key.'),
    amount: optional(amount('Amount.')),
    other_amount: optional(amount('Another.')),
    number: optional(long('Number.')),
    count: optional(integer('Count.')),
    points: optional(decimal('Points.')),
    since: optional(instant('Since.')),
    label: optional(text('Label.')),
    choice: optional(oneOf(['a', 'b', 'c'], 'Choice.')),
    digest: optional(bytes('Digest.')),
    isNew: optional(boolean('Whether.')),
    names: optional(eachOf(['iot', 'mobile'], 'Names.')),
  },
  order: [{ column: 'ended' }, { column: 'ordinal' }],
  partition: null,
  statistics: { period: 'ended', type: 'kind' },
  keyed: 'hotspot_key',
  earned: ['amount', 'other_amount'],
}

const random = openRandom(deriveSeed('key file'))
const pick = <T>(list: readonly T[]): T => list[random.below(list.length)] as T
const values: Readonly<Record<string, readonly Value[]>> = {
  amount: [0n, 1n, 2n ** 32n, 2n ** 40n, 2n ** 64n - 1n],
  other_amount: [2n ** 63n, 5n],
  number: [-1n, -(2n ** 63n), 2n ** 63n - 1n],
  count: [-2147483648, 2147483647, 0],
  points: ['0', '-0.5', `${'9'.repeat(20)}.${'9'.repeat(18)}`],
  since: [0n, -1n, 1_700_000_000_000_000n],
  label: ['', 'ä', '漢', 'x'.repeat(300)],
  choice: ['a', 'c', 'of a later release'],
  digest: [Buffer.from([0, 255]), Buffer.alloc(0)],
  isNew: [true, false],
  names: [['iot'], ['mobile', 'iot'], []],
}
const names = Object.keys(values)

/** Some columns have one value in all rows of a group, others in all rows of one group alone. */
function draw(rows: number) {
  const groups = Array.from({ length: 1 + random.below(6) }, (_, number) => ({
    ...{ period: BigInt(1 + (number >> 1)) * 86_400_000_000n, type: number % 2 === 0 ? 'a' : 'b' },
    source: `source-${number}`,
  }))
  const keys = Array.from(
    { length: 1 + random.below(5) },
    (_, key) => `key-${key}-${random.below(1e6)}`,
  ).sort((a, b) => (hash('sha256', a) < hash('sha256', b) ? -1 : 1))
  const isCommon = new Set(names.filter(() => random.chance(0.4)))
  const common = groups.map(() =>
    Object.fromEntries(
      names
        .filter((name) => isCommon.has(name) || random.chance(0.2))
        .map((name) => [name, random.chance(0.3) ? null : pick(values[name] as Value[])]),
    ),
  )
  const all: (Row & { key: number; group: number })[] = keys.flatMap((hotspot_key, key) =>
    Array.from({ length: 1 + random.below(rows) }, () => random.below(groups.length))
      .sort((a, b) => a - b)
      .map((group, ordinal) => {
        const own = names.map((name) => [name, random.chance(0.2) ? null : pick(values[name] as Value[])])
        const { period, type, source } = groups[group] as (typeof groups)[number]
        const shared = {
          ended: period,
          kind: type,
          source_file: source,
          hotspot_key,
          ordinal: BigInt(ordinal),
        }
        return { ...Object.fromEntries(own), ...common[group], ...shared, key, group }
      }),
  )
  return { groups, keys, all }
}

async function writeList(folder: string, name: string, rows: readonly Row[]) {
  const writer = await BlockFileWriter.create(join(folder, name), resource, name)
  for (let first = 0; first < rows.length; first += 700) {
    const some = rows.slice(first, first + 700)
    const columns = Object.keys(resource.columns).map(
      (column) => [column, some.map((row) => row[column] ?? null)] as const,
    )
    await writer.append({ rows: some.length, columns: Object.fromEntries(columns) })
  }
  await writer.finish()
  return openBlockFile(join(folder, name), resource, name)
}

/** The rows in some lists, in any order, among rows without a key and of a group that is not wanted. */
async function drawLists(folder: string, all: readonly Row[], groups: readonly GroupKey[]) {
  const [group] = groups as [GroupKey]
  const strange = { ...all[0], ended: group.period, kind: group.type, source_file: group.source }
  const left = [
    { ...strange, hotspot_key: null },
    { ...strange, source_file: 'of another file' },
  ]
  const lists: Row[][] = Array.from({ length: 1 + random.below(3) }, () => [])
  for (const row of [...all, ...left]) {
    const list = pick(lists)
    list.splice(random.below(list.length + 1), 0, row)
  }
  const filled = lists.filter(({ length }) => length > 0)
  return await Promise.all(filled.map((rows, number) => writeList(folder, `list-${number}`, rows)))
}

it('a value that is equal in all rows of a group is stored once, even if several lists have the rows', async () => {
  const folder = await temporaryFolder()
  const groups = [{ period: 1n, type: 'a', source: 'x' }]
  const rowOf = (label: string, number: bigint, ordinal: bigint): Row => ({
    ...{ ended: 1n, kind: 'a', source_file: 'x', hotspot_key: 'key', ordinal },
    ...{ label, choice: label, number, points: '0.5' },
  })
  const lists = [
    await writeList(folder, 'one', [rowOf('first', 5n, 1n), rowOf('first', 5n, 2n)]),
    await writeList(folder, 'two', [rowOf('second', 5n, 3n)]),
  ]
  const { common, keys } = runAtOnce(surveyRows(resource, lists, groups))
  for (const list of lists) list.close()
  expect(keys).toEqual(['key'])
  expect(common).toEqual([
    {
      ...{ number: 5n, points: '0.5', amount: null, other_amount: null, count: null },
      ...{ since: null, digest: null, isNew: null, names: null },
    },
  ])
})

it('an index by key returns every row with every value, and sums them exactly', async () => {
  const folder = await temporaryFolder()
  const seen = { stored: 0, common: 0, large: 0, severalLists: 0 }
  for (let round = 0; round < scaled(12, 200); round += 1) {
    const { groups, keys, all } = draw(round === 0 ? 3000 : 60)
    const lists = await drawLists(folder, all, groups)
    const survey = runAtOnce(surveyRows(resource, lists, groups))
    expect(survey.keys).toEqual(keys)
    const writer = await KeyFileWriter.create(join(folder, 'x'), resource, { ...survey, groups })
    const half = keys.length >> 1
    for (const [from, to] of [
      [0, half],
      [half, keys.length],
    ] as const)
      await writer.append(runAtOnce(gatherRows(survey, writer.stored, writer.numberText, from, to)))
    for (const list of lists) list.close()
    if (lists.length > 1) seen.severalLists += 1
    const path = join(folder, await writer.finish({ 'source-0': 'digest' }))
    await rename(join(folder, 'x'), path)
    const file = openKeyFile(path, resource, new BlockCache(2 ** 20))
    const covering = { file, isCovered: new Uint8Array(groups.length).fill(1), isWhole: true }
    for (const [key, name] of keys.entries()) {
      const mine = all.filter((row) => row.key === key)
      const found = rowsOfKey([covering], name, ALL_GROUPS)
      expect(found.read(0, found.total)).toEqual(mine.map(({ key: _, group: __, ...row }) => row))
      const sums = sumKey([covering], name, ALL_GROUPS, ['amount', 'other_amount'], undefined)
      const sumOf = (column: string) => mine.reduce((sum, row) => sum + ((row[column] as bigint) ?? 0n), 0n)
      expect(sums).toEqual([sumOf('amount'), sumOf('other_amount')])
    }
    expect(rowsOfKey([covering], 'nobody', ALL_GROUPS).total).toBe(0)
    for (const plane of file.contents.planes.filter(({ period }) => period !== null)) {
      const added = new Sums(keys.length)
      added.add(file.readPlane(plane))
      for (const [key] of keys.entries()) {
        const rows = all.filter(
          (row) => row.key === key && row.ended === BigInt(plane.period ?? 0) && row.kind === plane.type,
        )
        const earned = rows.reduce(
          (sum, row) => sum + ((row.amount as bigint) ?? 0n) + ((row.other_amount as bigint) ?? 0n),
          0n,
        )
        expect(added.sumOf(key)).toBe(rows.length === 0 ? undefined : earned)
        if (earned > 2n ** 64n) seen.large += 1
      }
    }
    seen.stored += file.contents.stored.length
    seen.common += names.length + 1 - file.contents.stored.length
    file.close()
  }
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(5)
})
