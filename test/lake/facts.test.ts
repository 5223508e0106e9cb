import { createHash } from 'node:crypto'
import fs, { readFileSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import { mobileRewardShares } from '../../src/catalog/l2/mobile-reward-shares.ts'
import { readFacts, writeFacts } from '../../src/lake/facts/facts.ts'
import { fileOfFacts } from '../../src/lake/facts/facts-file.ts'
import { readTableLog } from '../../src/lake/log/delta-log.ts'
import type { AddAction } from '../../src/lake/log/log-actions.ts'
import { DataFiles } from '../../src/lake/snapshot/data-files.ts'
import { Lake } from '../../src/lake/snapshot/lake.ts'
import { amendTable } from '../../src/write/store/amend-table.ts'
import { filesBelow } from '../support/lakes/leftovers.ts'
import { replaceBuiltin } from '../support/replace-builtin.ts'
import { buildTestServer } from '../support/servers/build-test-server.ts'
import { addedFiles, type LoggedFile, readEntries } from '../support/tables/delta-table.ts'
import { factsLocationOf, factsOf, inlineTags } from '../support/tables/file-facts.ts'
import { entryPath, rewriteEntry } from '../support/tables/log-entries.ts'
import { commitFiles, lakeOf, madeUpSource, stageFile } from '../support/tables/staged-files.ts'
import { writeLog } from '../support/tables/write-log.ts'
import { scaled } from '../support/tier.ts'

/** The path of a file that ends while it is read. */
let shortened = ''
replaceBuiltin(fs, (real) => {
  const opened = new Map<number, string>()
  return {
    openSync(path, ...more) {
      const file = real.openSync(path, ...more)
      opened.set(file, String(path))
      return file
    },
    readSync: ((file: number, buffer: Buffer) =>
      shortened !== '' && opened.get(file) === shortened
        ? 0
        : real.readSync(file, buffer)) as typeof real.readSync,
  }
})

const FILE = 'month=2025-01/part-share-0.gz.parquet'
const label = { operation: 'INGEST', runId: 'test' }

/** A lake of two files, and the facts of the first. */
async function lakeOfTwo() {
  const made = await lakeOf(2)
  const [first] = addedFiles(made.table) as [LoggedFile]
  const path = factsLocationOf(made.table, first)
  if (path === undefined) throw new Error('the facts stand in the log')
  return { ...made, first, path, file: join(made.table, first.path) }
}

const namesOf = async (lake: Lake) =>
  (await lake.latest()).table(iotRewardShares).files.map((file) => {
    try {
      return file.sources.map(({ name }) => name).join()
    } catch (error) {
      return (error as Error).message
    }
  })

describe('a log entry', () => {
  it('has the same length for a hundred sources and groups as for one, apart from digits', async () => {
    const { lake, table, staging } = await lakeOf(0)
    const amounts = { beacon_amount: 2n ** 70n, amount: 1n }
    const groups = Array.from({ length: 100 }, (_, hour) => {
      return { period: BigInt(hour) * 3_600_000_000n, type: 'gateway_reward', rows: 1, sums: amounts }
    })
    const many = Array.from({ length: 100 }, (_, place) => madeUpSource(`${place}.gz`, { groups }))
    for (const sources of [many.slice(0, 1).map((own) => ({ ...own, groups: [] })), many]) {
      const staged = await stageFile(staging, `with-${String(sources.length).padStart(4, '0')}`, ['a.gz'])
      await amendTable(lake, iotRewardShares, label, async () => ({
        stale: [],
        staged: [{ ...staged, sources }],
      }))
    }
    const [small, large] = addedFiles(table).map((file) => JSON.stringify(file).length) as [number, number]
    expect(large - small).toBeLessThan(10)
    const files = (await new Lake(lake).latest()).table(iotRewardShares).files
    expect(files.map(({ rows }) => rows)).toEqual([1, 100])
    expect(files[1]?.sources[99]?.groups[99]).toEqual(groups[99])
  })
})

describe('a file of facts that is', () => {
  it.each([
    ['missing', (path: string) => rmSync(path), 'is missing'],
    ['cut', (path: string) => truncateSync(path, 100), 'does not have the bytes that it was written with'],
    ['a link', (path: string) => replaceByLink(path), 'cannot be read'],
  ])('%s is reported with its remedy, and other files are read', async (_, harm, told) => {
    const { lake, path } = await lakeOfTwo()
    const whole = readFileSync(path)
    harm(path)
    const opened = new Lake(lake)
    const [harmed, other] = await namesOf(opened)
    expect(harmed).toContain(`${path} ${told}`)
    expect(harmed).toMatch(/; put the file of a backup in its place\.$/)
    expect(other).toBe('share-1.gz')
    // Whoever has the snapshot notices the repair.
    rmSync(path, { force: true })
    writeFileSync(path, whole)
    expect(await namesOf(opened)).toEqual(['share-0.gz', 'share-1.gz'])
  })

  it('flipped in any bit is never read', async () => {
    const { table, path } = await lakeOfTwo()
    const whole = readFileSync(path)
    const [[name, add]] = [...((await readTableLog(table))?.live ?? [])] as [[string, AddAction]]
    const read = () => new DataFiles().of(iotRewardShares, table, name, add).rows
    expect(read()).toBe(1)
    const accepted: number[] = []
    for (let bit = 0; bit < whole.length * 8; bit += scaled(9, 1)) {
      const flipped = Buffer.from(whole)
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      writeFileSync(path, flipped)
      try {
        read()
        accepted.push(bit)
      } catch (error) {
        expect(error).toMatchObject({ code: 'lake_damaged', message: expect.stringContaining(path) })
      }
    }
    expect(whole.length).toBeGreaterThan(100)
    expect(accepted).toEqual([])
  })

  it.each([
    [
      'of another file',
      'month=2025-01/part-other.parquet',
      'share-0.gz',
      'they are of "month=2025-01/part-other.parquet"',
    ],
    ['without a name of a source', 'month=2025-01/part-share-0.gz.parquet', 7, 'name is 7'],
  ])('%s is refused although the log names its digest', async (_, file, name, told) => {
    const { lake, table } = await lakeOfTwo()
    const { sources, chunks } = writeFacts({ sources: [madeUpSource('share-0.gz')], chunks: [] })
    const content = gzipSync(
      JSON.stringify({ file, sources: sources.map((own) => ({ ...own, name })), chunks }),
    )
    const digest = createHash('sha256').update(content).digest('hex')
    writeFileSync(join(table, '_facts', `${digest}.json.gz`), content)
    tagFirst(table, {
      'ledgerlake.sha256': 'cd'.repeat(32),
      'ledgerlake.facts': `${digest} ${content.length}`,
    })
    expect((await namesOf(new Lake(lake)))[0]).toContain(told)
  })
})

describe('facts with the digest of the log', () => {
  const at = ['2025-01-29T00:00:00Z', 'gateway_reward', 1, { amount: '5' }]
  const withSource = (more: object) => ({ sources: [{ ...writtenSource(), ...more }] })
  const writtenSource = () => writeFacts({ sources: [madeUpSource('share-0.gz')], chunks: [] }).sources[0]
  const withGroup = (place: number, value: unknown) =>
    withSource({ groups: [at.with(place, value as never)] })

  it.each([
    ['have no list of sources', { sources: 7 }, 'sources is 7'],
    ['have no groups', withSource({ groups: 7 }), 'groups is 7'],
    ['say something else of being late', withSource({ late: 1 }), 'late is 1'],
    ['have a number for a type', withGroup(1, 7), 'reward_type is 7'],
    ['have no instant for a period', withGroup(0, 'soon'), 'end_period is "soon"'],
    ['have words for a sum', withGroup(3, { amount: 'five' }), 'sum of amount is "five"'],
    ['have a text for rows', withSource({ rows: '1' }), 'rows is "1"'],
    ['are no JSON', 'facts', 'they are no JSON of this program'],
  ])('are refused with the reason if they %s', async (_, content, told) => {
    const { lake, table } = await lakeOfTwo()
    nameFacts(table, content)
    expect((await namesOf(new Lake(lake)))[0]).toContain(`has damaged facts of ${FILE}: ${told}`)
  })

  it('are read without chunks if these do not add up to the rows', async () => {
    const { lake, table } = await lakeOfTwo()
    nameFacts(table, {
      chunks: [
        [5, {}, {}],
        [5, {}, {}],
      ],
    })
    const [file] = (await new Lake(lake).latest()).table(iotRewardShares).files
    expect(file?.chunks).toEqual([{ first: 0, rows: 1, bounds: {}, counts: {} }])
  })

  it('keep the bounds of an unknown column as texts', async () => {
    const { lake, table } = await lakeOfTwo()
    nameFacts(table, { chunks: [[1, { added_later: ['a', 'b'] }, {}]] })
    const [file] = (await new Lake(lake).latest()).table(iotRewardShares).files
    expect(file?.chunks).toMatchObject([{ rows: 1, bounds: { added_later: ['a', 'b'] } }])
  })

  it('of a table without groups are refused with the name of the wrong member', () => {
    for (const [place, told] of [
      [0, 'period is 7'],
      [1, 'type is 7'],
    ] as const)
      expect(() =>
        readFacts(
          { ...iotRewardShares, statistics: undefined } as never,
          {
            chunks: [],
            ...withGroup(place, 7),
          } as never,
        ),
      ).toThrow(told)
  })

  it('that are truncated while being read are reported as damaged, and other files are read', async () => {
    const { lake, path } = await lakeOfTwo()
    shortened = path
    const [harmed, other] = await namesOf(new Lake(lake))
    shortened = ''
    expect(harmed).toContain(`${path} does not have the bytes that it was written with`)
    expect(other).toBe('share-1.gz')
  })
})

it('fileOfFacts returns the data file that facts name, and undefined for damaged ones', async () => {
  const { path } = await lakeOfTwo()
  expect(fileOfFacts(path)).toBe(FILE)
  for (const content of [gzipSync('{"file":"../part-a.parquet"}'), gzipSync('{}'), Buffer.from('{}')]) {
    writeFileSync(path, content)
    expect(fileOfFacts(path)).toBeUndefined()
  }
})

it('a server over damaged facts answers requests that do not need them, and the rest after a repair', async () => {
  const { lake, path } = await lakeOfTwo()
  writeLog(lake, mobileRewardShares, [1_738_110_600_000])
  const whole = readFileSync(path)
  writeFileSync(path, whole.with(50, (whole[50] ?? 0) ^ 1))
  const server = await buildTestServer(lake)
  const ask = async (network: string) => {
    const { status, text } = await server.get(`/l2/${network}-reward-shares?from=2025-01-01&to=2025-02-01`)
    return [status, text.includes('lake_damaged')]
  }
  expect(await ask('iot')).toEqual([503, true])
  expect((await server.get('/l2/mobile-reward-shares/totals?from=2025-01-01&to=2025-02-01')).status).toBe(200)
  writeFileSync(path, whole)
  expect(await ask('iot')).toEqual([200, false])
})

describe('the files of snapshots', () => {
  it('are the same objects in all versions that name them, even after a checkpoint or another read', async () => {
    const { lake, commit } = await lakeOfTwo()
    const opened = new Lake(lake)
    const first = await opened.latest()
    const before = first.table(iotRewardShares).files
    await commit('share-2.gz')
    const after = await opened.latest()
    expect(after.table(iotRewardShares).files).toHaveLength(3)
    for (const [place, file] of before.entries()) expect(after.table(iotRewardShares).files[place]).toBe(file)
    const older = await opened.at(first.id)
    expect(older?.table(iotRewardShares).files.map((file) => before.includes(file))).toEqual([true, true])
  })

  it('are read from tags and from facts files in one table', async () => {
    const { lake, table, commit } = await lakeOfTwo()
    tagFirst(table, inlineTags('cd'.repeat(32), { sources: [madeUpSource('old.gz')], chunks: [] }))
    await commit('share-2.gz')
    expect(await namesOf(new Lake(lake))).toEqual(['old.gz', 'share-1.gz', 'share-2.gz'])
  })
})

describe('facts that a commit linked', () => {
  it('are removed with their file if another commit makes them unnecessary', async () => {
    const { lake, table, staging } = await lakeOfTwo()
    const staged = [await stageFile(staging, 'late', ['late.gz'])]
    const before = filesBelow(table)
    let attempts = 0
    await amendTable(lake, iotRewardShares, label, async () => {
      attempts += 1
      if (attempts > 1) return { stale: [], staged: [] }
      const other = await stageFile(staging, 'other', ['other.gz'])
      await commitFiles(lake, iotRewardShares, [other], label)
      return { stale: [], staged }
    })
    const added = filesBelow(table).filter((path) => !before.includes(path))
    const [last] = addedFiles(table).slice(-1) as [LoggedFile]
    const own = [factsLocationOf('', last), last.path, entryPath('', 2)]
    expect(added).toEqual(own.sort())
    expect(factsOf(table, last).sources).toMatchObject([{ name: 'other.gz' }])
    expect(readEntries(table)).toHaveLength(3)
  })
})

/** Has the log name facts with these members for the file of version 0, or a text in their place. */
function nameFacts(table: string, content: object | string): void {
  const { sources, chunks } = writeFacts({ sources: [madeUpSource('share-0.gz')], chunks: [] })
  const written =
    typeof content === 'string' ? content : JSON.stringify({ file: FILE, sources, chunks, ...content })
  const bytes = gzipSync(written)
  const digest = createHash('sha256').update(bytes).digest('hex')
  writeFileSync(join(table, '_facts', `${digest}.json.gz`), bytes)
  tagFirst(table, {
    'ledgerlake.sha256': 'cd'.repeat(32),
    'ledgerlake.facts': `${digest} ${bytes.length}`,
  })
}

/** Gives the file of version 0 other tags. */
function tagFirst(table: string, tags: Readonly<Record<string, string>>): void {
  rewriteEntry(entryPath(table, 0), (actions) =>
    actions.map((action) => (action.add ? { add: { ...action.add, tags } } : action)),
  )
}

function replaceByLink(path: string): void {
  renameSync(path, `${path}.moved`)
  symlinkSync(`${path}.moved`, path)
}
