import { createHash } from 'node:crypto'
import { copyFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import { mobileRewardShares } from '../../src/catalog/l2/mobile-reward-shares.ts'
import { rewardManifests } from '../../src/catalog/l2/reward-manifests.ts'
import { rejects } from '../../src/catalog/lake/rejects.ts'
import type { Resource } from '../../src/catalog/resource.ts'
import { resources } from '../../src/catalog/resources.ts'
import type { DataFile } from '../../src/lake/facts/data-file.ts'
import { addSource, rowId, type SourceInFile } from '../../src/lake/facts/source.ts'
import { diskUse } from '../../src/lake/snapshot/disk-use.ts'
import { Lake } from '../../src/lake/snapshot/lake.ts'
import { Snapshot, TableSnapshot } from '../../src/lake/snapshot/snapshot.ts'
import { blockRangeOf, lakeStatus } from '../../src/lake/snapshot/status.ts'
import { smallOracle } from '../support/fixtures.ts'
import { ingestInto } from '../support/lakes/build-lake.ts'
import { fixtureSources } from '../support/messages/oracle-rows.ts'
import { some } from '../support/some.ts'
import { entryPath } from '../support/tables/log-entries.ts'
import { madeUpSource } from '../support/tables/staged-files.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const micros = (text: string) => BigInt(Date.parse(text)) * 1000n

function tableOf(resource: Resource, version: number, ...sources: SourceInFile[]): TableSnapshot {
  const file: DataFile = {
    path: `/lake/${resource.name}/part.parquet`,
    lacks: [],
    partition: null,
    bytes: 1000,
    rows: sources.reduce((sum, source) => sum + source.rows, 0),
    sha256: 'cd'.repeat(32),
    sources,
    chunks: [],
  }
  return new TableSnapshot(
    resource,
    { version, committedAt: 0, entryDigest: '' },
    sources.length === 0 ? [] : [file],
  )
}

/** A source with one row at the end of each of the periods. */
function sourceEnding(name: string, ...periods: string[]): SourceInFile {
  return madeUpSource(name, {
    rows: periods.length,
    groups: periods.map((period) => ({
      period: micros(period),
      type: 'operational_reward',
      rows: 1,
      sums: { amount: 1n },
    })),
  })
}

describe('the id of a snapshot', () => {
  it('leads back to the snapshot', async () => {
    const lake = await temporaryFolder()
    await ingestInto(lake, [smallOracle], { commitRows: 1, kinds: ['iot_reward_share', 'reward_manifest'] })
    const snapshot = await new Lake(lake).latest()
    expect(snapshot.id).toMatch(/^dma7ooc3-/)
    const again = await new Lake(lake).at(snapshot.id)
    expect(again?.id).toBe(snapshot.id)
    expect(again?.table(iotRewardShares).files).toEqual(snapshot.table(iotRewardShares).files)
    const earlier = await new Lake(lake).at('1..0')
    expect(earlier?.table(iotRewardShares).files).toEqual(snapshot.table(iotRewardShares).files.slice(0, 2))
    expect(earlier?.table(rewardManifests).files).toHaveLength(1)
  })
})

describe('a snapshot', () => {
  it('has a table of version -1 without rows if it does not exist yet', () => {
    const snapshot = new Snapshot([tableOf(iotRewardShares, 4, sourceEnding('a.gz', '2025-01-29'))])
    const missing = snapshot.table(mobileRewardShares)
    expect([missing.version, missing.rows, missing.files, missing.sources.size]).toEqual([-1, 0, [], 0])
    expect(missing.statistics.count({ from: 0n, to: 2n ** 62n })).toBe(0)
    expect(snapshot.table(iotRewardShares).version).toBe(4)
    expect([snapshot.isEmpty, new Snapshot([]).isEmpty]).toEqual([false, true])
  })

  it('is the same object until something is committed', async () => {
    const folder = await temporaryFolder()
    const [first, second] = fixtureSources().filter((source) => source.table === 'iot_reward_shares')
    await ingestInto(folder, [first?.path ?? ''])
    const lake = new Lake(folder)
    const before = await lake.latest()
    expect(await lake.latest()).toBe(before)
    await ingestInto(folder, [second?.path ?? ''])
    const after = await lake.latest()
    expect(after).not.toBe(before)
    expect([before.id, after.id]).toEqual([expect.stringMatching(/^ooc0-/), expect.stringMatching(/^ooc1-/)])
    expect(before.table(iotRewardShares).rows).toBe(first?.rows.length)
    expect(after.table(iotRewardShares).rows).toBe((first?.rows.length ?? 0) + (second?.rows.length ?? 0))
  })

  it('has a commit made while another table was unreadable, once that table is readable', async () => {
    const folder = await temporaryFolder()
    const [first, second] = fixtureSources().filter((source) => source.table === 'iot_reward_shares')
    const [other] = fixtureSources().filter((source) => source.table === 'mobile_reward_shares')
    // Tables are read in this order, so the commit is seen before the other table fails.
    expect(resources.indexOf(iotRewardShares)).toBeLessThan(resources.indexOf(mobileRewardShares))
    await ingestInto(folder, [first?.path ?? '', other?.path ?? ''])
    const lake = new Lake(folder)
    const before = await lake.latest()
    const cut = entryPath(join(folder, 'mobile_reward_shares'), 1)
    await ingestInto(folder, [second?.path ?? ''])
    await writeFile(cut, '{')
    await expect(lake.latest()).rejects.toThrow(`${cut} is cut or damaged`)
    await rm(cut)
    const after = await lake.latest()
    expect(after.table(iotRewardShares).rows).toBe((first?.rows.length ?? 0) + (second?.rows.length ?? 0))
    expect(after.table(mobileRewardShares).rows).toBe(before.table(mobileRewardShares).rows)
    expect(await lake.latest()).toBe(after)
  })

  it('merges the parts of a source in several files', () => {
    const part = (rows: number, refused: number) => madeUpSource('a.gz', { rows, refused })
    const file = (...sources: SourceInFile[]): DataFile => {
      return { path: '/f', lacks: [], partition: null, bytes: 1, rows: 0, sha256: '', sources, chunks: [] }
    }
    const table = new TableSnapshot(iotRewardShares, { version: 0, committedAt: 0, entryDigest: '' }, [
      file(part(2, 1), madeUpSource('b.gz', { rows: 5 })),
      file(part(3, 0), madeUpSource('a.gz', { kind: 'another_kind', rows: 7 })),
    ])
    expect([...table.sources].map(([key, source]) => [key, source.rows, source.refused])).toEqual([
      ['iot_reward_share/a.gz', 5, 1],
      ['iot_reward_share/b.gz', 5, 0],
      ['another_kind/a.gz', 7, 0],
    ])
    expect(table.sourcesNamed('a.gz').map(({ kind }) => kind)).toEqual(['iot_reward_share', 'another_kind'])
    expect(table.sourcesNamed('c.gz')).toEqual([])
  })
})

describe('the id of a row', () => {
  const source = { kind: 'iot_reward_share', name: 'iot_reward_share.1.gz', sha256: 'ab'.repeat(32) }

  it('is a version 8 UUID that begins with the digest of its source and ends with its ordinal', () => {
    const digest = createHash('sha256')
      .update(`${source.kind}\0${source.name}\0${source.sha256}`)
      .digest('hex')
    const begin = rowId(source, 0n).replaceAll('-', '').slice(0, 22)
    expect(begin.slice(0, 12)).toBe(digest.slice(0, 12))
    for (const ordinal of [0n, 1n, 255n, 9_007_199_254n, 1_099_511_627_775n]) {
      const id = rowId(source, ordinal)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      const digits = id.replaceAll('-', '')
      expect(digits.slice(0, 22)).toBe(begin)
      expect(BigInt(`0x${digits.slice(22)}`)).toBe(ordinal)
    }
  })

  it('has every variant that the digest can give', () => {
    const variants = Array.from(
      { length: 200 },
      (_, number) => rowId({ ...source, name: `iot_reward_share.${number}.gz` }, 0n)[19],
    )
    expect(new Set(variants)).toEqual(new Set(['8', '9', 'a', 'b']))
  })

  it('differs for every source and ordinal', () => {
    const sources = ['iot_reward_share', 'mobile_reward_share'].flatMap((kind) =>
      ['a.gz', 'b.gz'].flatMap((name) =>
        ['ab'.repeat(32), 'cd'.repeat(32)].map((sha256) => ({ kind, name, sha256 })),
      ),
    )
    const ids = sources.flatMap((one) =>
      Array.from({ length: 1000 }, (_, ordinal) => rowId(one, BigInt(ordinal))),
    )
    expect(new Set(ids).size).toBe(8000)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-/)
  })

  it('is the same in two lakes, and differs for equal bytes under two names', async () => {
    const artifact = fixtureSources().find((one) => one.table === 'iot_reward_shares')?.path ?? ''
    const input = await temporaryFolder()
    const names = ['iot_reward_share.1738110600001.gz', 'iot_reward_share.1738110600002.gz']
    for (const name of names) await copyFile(artifact, join(input, name))
    const ids: string[][] = []
    for (const paths of [names, [...names].reverse()]) {
      const lake = await temporaryFolder()
      for (const name of paths) await ingestInto(lake, [join(input, name)])
      const table = (await new Lake(lake).latest()).table(iotRewardShares)
      expect(table.sources.size).toBe(2)
      expect(new Set([...table.sources.values()].map((one) => one.sha256)).size).toBe(1)
      ids.push([...table.sources.values()].flatMap((one) => [rowId(one, 0n), rowId(one, 1n)]).sort())
    }
    expect(ids[0]).toEqual(ids[1])
    expect(new Set(ids[0]).size).toBe(4)
  })
})

describe('the facts of one source in two files', () => {
  const group = { period: 1n, type: 'gateway_reward', rows: 1 }

  it('are added up, also if one of them lacks a sum or a group', () => {
    const one = madeUpSource('a.gz', { retried: [3n], groups: [{ ...group, sums: { amount: 5n } }] })
    const other = madeUpSource('a.gz', {
      ...{ rows: 2, refused: 4 },
      groups: [
        { ...group, sums: { beacon_amount: 7n } },
        { ...group, type: 'operational_reward', sums: {} },
      ],
    })
    const groups = [
      { ...group, rows: 2, sums: { amount: 5n, beacon_amount: 7n } },
      { ...group, type: 'operational_reward', sums: {} },
    ]
    expect(addSource(one, other)).toMatchObject({ rows: 3, refused: 4, groups, retried: [3n] })
    expect(addSource(other, one)).toMatchObject({ rows: 3, refused: 4, retried: [3n] })
    expect(addSource(other, { ...one, retried: [1n] }).retried).toEqual([1n])
    expect(addSource({ ...other, retried: [4n] }, { ...one, retried: [1n, 9n] }).retried).toEqual([
      1n,
      4n,
      9n,
    ])
  })
})

describe('the blocks of a table', () => {
  const tableWith = (...bounds: readonly Readonly<Record<string, readonly [bigint, bigint]>>[]) => {
    const [file] = tableOf(iotRewardShares, 0, madeUpSource('a.gz')).files
    const chunks = bounds.map((own, place) => ({ first: place, rows: 1, bounds: own, counts: {} }))
    const empty = { first: 9, rows: 0, bounds: {}, counts: {} }
    return new TableSnapshot(iotRewardShares, { version: 0, committedAt: 0, entryDigest: '' }, [
      { ...(file as DataFile), chunks: [...chunks, empty] },
    ])
  }

  it('are between the bounds of all chunks, and undefined if a chunk has none', () => {
    expect(blockRangeOf(tableWith({ block: [5n, 9n] }, { block: [2n, 7n] }, { block: [6n, 11n] }))).toEqual([
      2n,
      11n,
    ])
    expect(blockRangeOf(tableWith({ block: [5n, 9n] }, {}))).toBeUndefined()
    expect(blockRangeOf(tableWith())).toBeUndefined()
  })
})

describe('the bytes of a lake on the disk', () => {
  it('are divided by purpose', async () => {
    const lake = await temporaryFolder()
    await ingestInto(lake, [smallOracle], { kinds: ['reward_manifest'] })
    const snapshot = await new Lake(lake).latest()
    const files = some(snapshot.table(rewardManifests).files)
    await writeFile(join(dirname(files[0].path), 'part-old.parquet'), 'old')
    const use = await diskUse(lake, join(lake, '_state'), snapshot)
    expect(use).toMatchObject({ oldFiles: 3, state: 0, staging: 0, free: expect.any(Number) })
    const sizes = await Promise.all(files.map(async ({ path }) => (await stat(path)).size))
    expect(use.tables).toBe(sizes.reduce((sum, size) => sum + size, 0))
    expect(use.log).toBeGreaterThan(100)
    const moved = `${lake}-moved`
    await rename(lake, moved)
    const nothing = await diskUse(lake, join(lake, '_state'), new Snapshot([]))
    await rename(moved, lake)
    expect(nothing).toEqual({ tables: 0, oldFiles: 0, log: 0, state: 0, staging: 0, free: null })
  })
})

describe('the status of a lake', () => {
  const missingDays = (...periods: string[]) => {
    const snapshot = new Snapshot([tableOf(iotRewardShares, 0, sourceEnding('a.gz', ...periods))])
    return lakeStatus(snapshot).tables[0]
  }

  it.each([
    ['none between two days in a row', ['2025-01-29', '2025-01-30'], []],
    ['none of a single day', ['2025-01-29'], []],
    ['one', ['2025-01-29', '2025-01-31'], ['2025-01-30']],
    ['those over the end of a month', ['2025-02-02', '2025-01-30'], ['2025-01-31 to 2025-02-01']],
    ['a leap day', ['2024-02-28', '2024-03-01'], ['2024-02-29']],
    ['those over the end of a year', ['2024-12-30', '2025-01-02'], ['2024-12-31 to 2025-01-01']],
    [
      'a day between two of which one has several periods',
      ['2025-01-29T00:00:00Z', '2025-01-29T12:00:00Z', '2025-01-29T23:59:59Z', '2025-01-31'],
      ['2025-01-30'],
    ],
    ['several gaps', ['2025-01-01', '2025-01-03', '2025-01-06'], ['2025-01-02', '2025-01-04 to 2025-01-05']],
  ])('names as missing days %s', (_, periods, missing) => {
    expect(missingDays(...periods)?.missingDays).toEqual(missing)
  })

  it('has the rows, sources and periods of the small network', async () => {
    const lake = await temporaryFolder()
    await ingestInto(lake, [smallOracle])
    const snapshot = await new Lake(lake).latest()
    const periods = { firstPeriod: '2025-01-29T00:00:00Z', lastPeriod: '2025-02-01T00:00:00Z' }
    const none = { firstPeriod: null, lastPeriod: null }
    const rest = { version: 0, refused: 0, bytes: expect.any(Number), missingDays: [] }
    expect(lakeStatus(snapshot)).toEqual({
      snapshot: expect.stringMatching(/^dma0idp0ooc0qea0-[0-9a-f]{12}$/),
      tables: [
        { table: 'iot_reward_shares', rows: 457, files: 2, sources: 4, ...rest, ...periods },
        { table: 'mobile_reward_shares', rows: 568, files: 2, sources: 4, ...rest, ...periods },
        { table: 'reward_manifests', rows: 8, files: 2, sources: 8, ...rest, ...none },
        { table: 'iot_witness_ingest_reports', rows: 480, files: 1, sources: 4, ...rest, ...none },
      ],
    })
  })

  it('leaves out tables that do not exist', () => {
    expect(lakeStatus(new Snapshot([]))).toEqual({ snapshot: '', tables: [] })
  })

  it('has no periods and no missing days for a table with only empty sources', () => {
    expect(missingDays()).toMatchObject({
      rows: 0,
      sources: 1,
      firstPeriod: null,
      lastPeriod: null,
      missingDays: [],
    })
  })

  it('counts refused rows, and rejects only of sources that are in', () => {
    const shares = tableOf(
      iotRewardShares,
      0,
      { ...sourceEnding('in.gz', '2025-01-29'), refused: 2 },
      { ...sourceEnding('also-in.gz', '2025-01-29'), refused: 1 },
    )
    const refused = [
      madeUpSource('in.gz', { rows: 2 }),
      madeUpSource('also-in.gz', { rows: 1 }),
      madeUpSource('never-in.gz', { rows: 40 }),
      madeUpSource('in.gz', { rows: 500, kind: 'mobile_reward_share' }),
    ]
    const status = lakeStatus(new Snapshot([shares, tableOf(rejects, 0, ...refused)]))
    expect(status.tables.map((table) => [table.table, table.rows, table.refused])).toEqual([
      ['iot_reward_shares', 2, 3],
      ['rejects', 3, 0],
    ])
  })
})
