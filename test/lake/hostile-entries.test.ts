import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import { Lake } from '../../src/lake/snapshot/lake.ts'
import { foreignEntry } from '../support/tables/log-entries.ts'
import { lakeOf, madeUpSource } from '../support/tables/staged-files.ts'

/** A lake with one commit; the next entry is for the test to write. */
async function lakeOfOne() {
  const { lake, table, entry } = await lakeOf(1)
  return { lake, table, entry: entry(1) }
}

const source = madeUpSource('b.gz')
const group = ['2025-01-29T00:00:00Z', 'gateway_reward', 1, { amount: '5' }]

function tagsOf(sources: unknown, more: object = {}): object {
  return { 'ledgerlake.sha256': 'cd'.repeat(32), 'ledgerlake.sources': JSON.stringify(sources), ...more }
}

const add = {
  path: 'month=2025-01/part-b.parquet',
  partitionValues: { month: '2025-01' },
  size: 4,
  modificationTime: 1_738_110_600_000,
  dataChange: true,
  stats: '{"numRecords":1}',
  tags: tagsOf([source]),
}
const remove = { path: add.path, deletionTimestamp: 1_738_110_600_000, dataChange: true }
const deep = '['.repeat(200_000) + ']'.repeat(200_000)

const adding = (more: object) => ({ add: { ...add, ...more } })
const removing = (more: object) => ({ remove: { ...remove, ...more } })
const withSource = (more: object) => adding({ tags: tagsOf([{ ...source, ...more }]) })
const withGroup = (place: number, value: unknown) =>
  withSource({ groups: [(group as readonly unknown[]).with(place, value)] })
const withChunks = (chunks: string) => adding({ tags: tagsOf([source], { 'ledgerlake.chunks': chunks }) })

const path = (name: string) => `names the file ${JSON.stringify(name)}, which is not the path of a data file`
const tags = (told: string) => `month=2025-01/part-b.parquet has damaged tags in the log: ${told};`

/** What an entry holds beside its description, and what is said of it. */
const hostile: readonly (readonly [name: string, line: object | string, sentence: string])[] = [
  [
    'tags that are no JSON',
    adding({ tags: { 'ledgerlake.sha256': 'cd'.repeat(32), 'ledgerlake.sources': '[' } }),
    tags('they are no JSON of this program'),
  ],
  ['a path with NUL', adding({ path: 'part-a%00b.parquet' }), path('part-a\0b.parquet')],
  ['a bare NUL', adding({ path: 'part-a\0b.parquet' }), path('part-a\0b.parquet')],
  ['a path that climbs', adding({ path: '../part-a.parquet' }), path('../part-a.parquet')],
  [
    'a path that climbs, encoded',
    adding({ path: 'month=2025-01/%2E%2E/%2e%2e/part-a.parquet' }),
    path('month=2025-01/../../part-a.parquet'),
  ],
  ['an absolute path', adding({ path: '/etc/passwd' }), path('/etc/passwd')],
  ['an address', adding({ path: 's3://there/part-a.parquet' }), path('s3://there/part-a.parquet')],
  ['a file address', adding({ path: 'file:/part-a.parquet' }), path('file:/part-a.parquet')],
  ['a backslash', adding({ path: 'part-..\\a.parquet' }), path('part-..\\a.parquet')],
  ['a line break', adding({ path: 'part-a%0Ab.parquet' }), path('part-a\nb.parquet')],
  ['a pattern', adding({ path: 'month=2025-01/*.parquet' }), path('month=2025-01/*.parquet')],
  ['the log as data', adding({ path: '_delta_log/part-a.parquet' }), path('_delta_log/part-a.parquet')],
  ['a folder', adding({ path: 'a/b/part-a.parquet' }), path('a/b/part-a.parquet')],
  ['a path that is a number', adding({ path: 7 }), 'has an add with the path 7; expected a text'],
  ['a removed path that climbs', removing({ path: '../part-a.parquet' }), path('../part-a.parquet')],
  ['a broken escape', adding({ path: 'part-50%.parquet' }), 'is not an action of the Delta protocol'],
  ['a negative size', adding({ size: -1 }), 'has an add with the size -1; expected a whole number'],
  ['a size in text', adding({ size: '4' }), 'has an add with the size "4"; expected a whole number'],
  [
    'no partition',
    adding({ partitionValues: null }),
    'has an add with the partitionValues null; expected texts',
  ],
  [
    'a partition of another kind',
    adding({ partitionValues: { month: 7 } }),
    'an add with the partitionValues of another form; expected texts',
  ],
  [
    'a month that is none',
    adding({ partitionValues: { month: 'x' } }),
    'an add with the partition "x"; expected a month or the first of 100,000 blocks',
  ],
  ['tags that are a list', adding({ tags: [] }), 'has an add with the tags of another form; expected texts'],
  [
    'deep tags',
    JSON.stringify(adding({ tags: 'DEEP' })).replace('"DEEP"', deep),
    'has an add with the tags of another form; expected texts',
  ],
  ...['7', 'null', '"commitInfo"', '[]', '{"add":null}'].map(
    (line) => [`only ${line} in a line`, line, 'is not an action of the Delta protocol'] as const,
  ),
  ['deep nothing', deep, 'is not an action of the Delta protocol'],
  [
    'a time in text',
    removing({ deletionTimestamp: 'now' }),
    'has a remove with the deletionTimestamp "now"; expected a whole number',
  ],
  ['rows below 0', withSource({ rows: -1 }), tags('rows is -1')],
  ['rows in text', withSource({ rows: 'a' }), tags('rows is "a"')],
  ['half a row', withSource({ rows: 0.5 }), tags('rows is 0.5')],
  ['rows beyond 2^53', withSource({ rows: 2 ** 53 }), tags('rows is 9007199254740992')],
  ['rows that are no number', withSource({ rows: Number.NaN }), tags('rows is null')],
  ['refused below 0', withSource({ refused: -1 }), tags('refused is -1')],
  ['refused that lack', withSource({ refused: undefined }), tags('refused is absent')],
  ['a source without name', withSource({ name: 7 }), tags('name is 7')],
  ['sources that are none', adding({ tags: tagsOf({}) }), tags('sources is of another form')],
  ['rows of a group below 0', withGroup(2, -1), tags('rows of a group is -1')],
  ['a sum that is no integer', withGroup(3, { amount: '5.5' }), tags('sum of amount is "5.5"')],
  ['an empty sum', withGroup(3, { amount: '' }), tags('sum of amount is ""')],
  ['a period that is none', withGroup(0, 'then'), tags('end_period is "then"')],
  [
    'ordinals without end',
    withSource({ refused: 2, retried: '0-9000000000000000000' }),
    tags('retried is "0-9000000000000000000"'),
  ],
  ['chunk rows below 0', withChunks('[[-1,{},{}]]'), tags('rows of a chunk is -1')],
  ['a count in text', withChunks('[[1,{},{"reward_type":{"a":"1"}}]]'), tags('count of reward_type is "1"')],
]

describe('an entry of another program', () => {
  it.each(hostile)('with %s is refused at once with its name and the reason', async (_, line, sentence) => {
    const { lake, table, entry } = await lakeOfOne()
    writeFileSync(entry, foreignEntry(line))
    const fault = await new Lake(lake).latest().catch((error: unknown) => error)
    expect(fault).toMatchObject({ code: 'lake_damaged', message: expect.stringContaining(sentence) })
    expect((fault as Error).message).toContain(sentence.includes('damaged tags') ? table : entry)
    expect((fault as Error).message.length).toBeLessThan(600)
  })

  it('without an error is read', async () => {
    const { lake, entry } = await lakeOfOne()
    const whole = { ...source, groups: [group], refused: 2, retried: '0-1' }
    writeFileSync(entry, foreignEntry(adding({ tags: tagsOf([whole]) }), { cdc: {} }))
    expect((await new Lake(lake).latest()).table(iotRewardShares).rows).toBe(2)
  })
})

describe('an entry that is no file of bounded length is refused at once:', () => {
  const made: readonly (readonly [string, (entry: string) => void, string])[] = [
    ['a link to a device that never ends', (entry) => symlinkSync('/dev/zero', entry), 'is a symbolic link'],
    [
      'a link to another entry',
      (entry) => symlinkSync(entry.replace(/1\.json$/, '0.json'), entry),
      'is a symbolic link',
    ],
    ['a folder', (entry) => mkdirSync(entry), 'is not a regular file'],
    [
      'a file of a terabyte',
      (entry) => {
        writeFileSync(entry, '')
        truncateSync(entry, 2 ** 40)
      },
      'has 1099511627776 bytes',
    ],
  ]

  it.each(made)('%s', async (_, make, told) => {
    const { lake, entry } = await lakeOfOne()
    make(entry)
    await expect(new Lake(lake).latest()).rejects.toMatchObject({
      code: 'lake_damaged',
      message: expect.stringContaining(`${entry} ${told}`),
    })
    rmSync(entry, { recursive: true })
    expect((await new Lake(lake).latest()).table(iotRewardShares).version).toBe(0)
  })
})

describe('a foreign checkpoint is skipped, and so is a pointer to it:', () => {
  const head = (snapshot: unknown) =>
    gzipSync(`${JSON.stringify({ snapshot })}\n${JSON.stringify(adding({}))}\n`)
  const made: readonly (readonly [string, (path: string) => void])[] = [
    ['a pipe', (path) => execFileSync('mkfifo', [path])],
    ['a link to a device that never ends', (path) => symlinkSync('/dev/zero', path)],
    ['a folder', (path) => mkdirSync(path)],
    ['no gzip', (path) => writeFileSync(path, 'checkpoint')],
    ['deep nothing', (path) => writeFileSync(path, gzipSync(deep))],
    ['a head of other types', (path) => writeFileSync(path, head({ version: '0', committedAt: -1 }))],
    [
      'a version far ahead',
      (path) => writeFileSync(path, head({ version: 2 ** 52, committedAt: 1, entryDigest: '' })),
    ],
  ]

  it.each(made)('%s', async (_, make) => {
    const { lake, entry } = await lakeOfOne()
    for (const name of [
      '_snapshot.00000000000000000000.ndjson.gz',
      '_snapshot.00000000000000000009.ndjson.gz',
      '_last_checkpoint',
    ])
      make(join(dirname(entry), name))
    const { version, files } = (await new Lake(lake).latest()).table(iotRewardShares)
    expect([version, files.length]).toEqual([0, 1])
  })
})
