import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { beforeAll, describe, expect, it } from 'vitest'
import { openLake } from '../../../src/lake/snapshot/lake.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import { key, makeNetwork, olderLake, retry } from '../../support/lakes/retry-network.ts'
import { copySmallLake } from '../../support/lakes/small-lake.ts'
import { liveRows } from '../../support/read-answers.ts'
import { runMain } from '../../support/servers/run-main.ts'
import { some } from '../../support/some.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

let folder: string
/** A lake of 29 sources, and its file. */
let lake: string
let file: string

beforeAll(async () => {
  folder = await temporaryFolder()
  lake = join(folder, 'lake')
  await copySmallLake(lake)
  file = await exported(lake, 'network.duckdb')
})

async function exported(from: string, name: string, ...flags: readonly string[]): Promise<string> {
  const out = join(folder, name)
  const args = ['export', '--all', '--lake', from, '--out', out, '--force', ...flags]
  expect(await runMain(args, { cwd: folder })).toMatchObject({ code: 0, stderr: '' })
  return out
}

/** A copy of the file, to be changed. */
function copyOf(name: string): string {
  const path = join(folder, name)
  copyFileSync(file, path)
  return path
}

const newLake = async () => join(await temporaryFolder(), 'lake')

/** Sources of each table as the log has them. */
async function sourcesOf(of: string) {
  const { tables } = await (await openLake(of)).latest()
  const named = tables.map(({ resource, sources }) => [
    resource.name,
    Object.fromEntries(
      [...sources]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, source]) => [key, { ...source, retried: source.retried.map(String).sort() }]),
    ),
  ])
  return Object.fromEntries(named)
}

/** Rows of each table as text, in any order of files. */
async function rowsOf(of: string) {
  const tables = Object.entries(await liveRows(of)).map(([table, rows]) => [
    table,
    rows.map((row) => Object.entries(row).join()).sort(),
  ])
  return Object.fromEntries(tables)
}

async function listOf(of: string, list: string): Promise<string> {
  const out = join(await temporaryFolder(), 'list.ndjson')
  const days = list.endsWith('_shares') ? ['--from', '2025-01-01', '--to', '2026-01-01'] : []
  const run = await runMain(['export', list, '--lake', of, '--out', out, '--format', 'ndjson', ...days], {
    cwd: folder,
  })
  expect(run).toMatchObject({ code: 0, stderr: '' })
  return readFileSync(out, 'utf8')
}

/** Runs a statement that changes a database file. */
async function change(path: string, ...statements: readonly string[]): Promise<void> {
  const instance = await DuckDBInstance.create(path)
  const connection = await instance.connect()
  for (const statement of statements) await connection.run(statement)
  connection.closeSync()
  instance.closeSync()
}

describe('ingest of a database file', () => {
  it('restores rows, sources and ids in an empty lake, and stores nothing the second time', async () => {
    const copy = await newLake()
    const summary = await ingestInto(copy, [file])
    expect(summary).toMatchObject({ read: 29, stored: 29, skipped: 0, failed: [], refusedRows: 0 })
    expect(await sourcesOf(copy)).toEqual(await sourcesOf(lake))
    const rows = await rowsOf(lake)
    expect(some(Object.keys(rows)).length).toBeGreaterThan(10)
    expect(await rowsOf(copy)).toEqual(rows)
    for (const list of ['iot_reward_shares', 'mobile_reward_shares', 'hotspots', 'l1_rewards'])
      expect(await listOf(copy, list), list).toBe(await listOf(lake, list))
    expect(await ingestInto(copy, [file])).toMatchObject({ stored: 0, skipped: 29, failed: [] })
  })

  it('stores what the lake lacks, in batches, and the artifacts are then already there', async () => {
    const copy = await newLake()
    const only = { kinds: ['hotspots', 'reward_manifest', 'iot_reward_share'], commitRows: 1 }
    const { stored } = await ingestInto(copy, [file], only)
    expect(stored).toBeGreaterThan(3)
    expect(await ingestInto(copy, [file])).toMatchObject({ stored: 29 - stored, skipped: stored, failed: [] })
    expect(await rowsOf(copy)).toEqual(await rowsOf(lake))
  })

  it('restores refused messages, and those that were ingested later', async () => {
    const network = await makeNetwork()
    const older = await olderLake((row) => key(2)(row) || key(4)(row), [network.input])
    const copies = [await newLake(), await newLake()]
    const before = await exported(older.lake, 'refused.duckdb')
    expect(await ingestInto(copies[0] ?? '', [before])).toMatchObject({
      failed: [],
      refusedRows: older.refused,
    })
    expect(await sourcesOf(copies[0] ?? '')).toEqual(await sourcesOf(older.lake))
    expect(await retry(copies[0] ?? '')).toMatchObject({ taken: older.refused, refused: 0 })
    await network.expectFresh(copies[0] ?? '')
    await retry(older.lake)
    const after = await exported(older.lake, 'retried.duckdb')
    expect(await ingestInto(copies[1] ?? '', [after])).toMatchObject({ failed: [] })
    expect(await sourcesOf(copies[1] ?? '')).toEqual(await sourcesOf(older.lake))
    expect(await retry(copies[1] ?? '')).toMatchObject({ rejects: 0 })
  })

  it('names each source of which days have a part only, and stores none of it', async () => {
    const older = await olderLake(key(2), [(await makeNetwork()).input])
    // Each file of shares has rows of three days.
    const days = await exported(older.lake, 'days.duckdb', '--from', '2025-01-30', '--to', '2025-01-30')
    const copy = await newLake()
    const { failed } = await ingestInto(copy, [days])
    const names = some(failed).map(
      ({ reason }) => /^it has [1-9]\d* of the \d+ rows of (\S+); export it/.exec(reason)?.[1],
    )
    expect(names.sort()).toEqual([
      'iot_reward_share.1738371600001.gz',
      'iot_reward_share.1738371600002.gz',
      'mobile_reward_share.1738371600003.gz',
    ])
    const whole = await exported(older.lake, 'all-days.duckdb')
    expect(await ingestInto(copy, [whole])).toMatchObject({ stored: 3, failed: [] })
    expect(await sourcesOf(copy)).toEqual(await sourcesOf(older.lake))
    expect(await rowsOf(copy)).toEqual(await rowsOf(older.lake))
  })

  it('refuses a source whose amounts were changed, and stores the others', async () => {
    const changed = copyOf('changed.duckdb')
    await change(
      changed,
      `UPDATE iot_reward_shares SET beacon_amount = beacon_amount + 1
       WHERE (source_file, ordinal) = (SELECT (source_file, min(ordinal)) FROM iot_reward_shares
         WHERE beacon_amount IS NOT NULL GROUP BY source_file ORDER BY source_file LIMIT 1)`,
    )
    const { stored, failed } = await ingestInto(await newLake(), [changed])
    expect([stored, failed.length]).toEqual([28, 1])
    expect(failed[0]?.reason).toMatch(/^its rows of iot_\S+ differ from their record: .* beacon_amount \d+/)
  })

  it('reads no view in place of a table', async () => {
    const hostile = copyOf('hostile.duckdb')
    await change(hostile, 'ALTER TABLE hotspots RENAME TO kept', 'CREATE VIEW hotspots AS SELECT * FROM kept')
    const { stored, failed } = await ingestInto(await newLake(), [hostile], { kinds: ['hotspots'] })
    expect(stored).toBe(0)
    expect(failed.map(({ reason }) => reason)).toEqual([
      expect.stringMatching(/^it has 0 of the \d+ rows of /),
    ])
  })

  it('refuses a column of another type by its name', async () => {
    const other = copyOf('other-type.duckdb')
    await change(other, 'ALTER TABLE makers ALTER COLUMN name TYPE BLOB')
    const { failed } = await ingestInto(await newLake(), [other], { kinds: ['makers'] })
    expect(failed.map(({ reason }) => reason)).toEqual(['makers.name is BLOB; expected VARCHAR'])
  })

  it('refuses other bytes of a name with both digests, unless they replace', async () => {
    const copy = await newLake()
    const kinds = ['makers']
    await ingestInto(copy, [file], { kinds })
    const other = copyOf('other-bytes.duckdb')
    const [name, sha256] = ['makers', '0'.repeat(64)]
    await change(
      other,
      `UPDATE _ledgerlake_sources SET record = regexp_replace(record, '"sha256":"[^"]*"', '"sha256":"${sha256}"') WHERE table_name = '${name}'`,
    )
    const { failed, skipped } = await ingestInto(copy, [other], { kinds })
    expect([failed.length, skipped]).toEqual([1, 0])
    expect(failed[0]?.reason).toMatch(new RegExp(`other bytes \\(SHA-256 [0-9a-f]{64}, now ${sha256}\\)`))
    expect(await ingestInto(copy, [other], { kinds, replace: true })).toMatchObject({ stored: 1, failed: [] })
  })

  it('refuses a file of an owner and a file of views by name, and skips them in a folder', async () => {
    const { owner } = JSON.parse((await listOf(lake, 'hotspots')).split('\n')[0] ?? '')
    const ofOwner = await exported(lake, 'owner.duckdb', '--owner', owner)
    const views = join(await temporaryFolder(), 'views.duckdb')
    await runMain(['views', '--lake', lake, '--out', views], { cwd: folder })
    const { failed } = await ingestInto(await newLake(), [ofOwner, views])
    expect(failed).toEqual(
      [ofOwner, views].map((path) => ({
        path,
        reason: expect.stringMatching(/^it does not record the sources of its rows/),
      })),
    )
    expect(await ingestInto(await newLake(), [dirname(views)])).toMatchObject({
      unknown: [views],
      failed: [],
    })
  })

  it('refuses a cut file and one with a flipped bit, and stores nothing of them', async () => {
    const bytes = readFileSync(file)
    const [cut, flipped] = [join(folder, 'cut.duckdb'), join(folder, 'flipped.duckdb')]
    writeFileSync(cut, bytes.subarray(0, bytes.length / 2))
    // A row group of the first table.
    bytes[0x3000 + 4096] = (bytes[0x3000 + 4096] ?? 0) ^ 1
    writeFileSync(flipped, bytes)
    for (const path of [cut, flipped]) {
      const copy = await newLake()
      const { failed } = await ingestInto(copy, [path])
      expect(some(failed).map(({ reason }) => reason)).toContainEqual(
        expect.stringMatching(/^DuckDB cannot /),
      )
      const rows = Object.values(await rowsOf(copy)).flat()
      expect(Object.values(await rowsOf(lake)).flat()).toEqual(expect.arrayContaining(rows))
    }
  })

  it('refuses --replace-all beside it', async () => {
    await expect(ingestInto(await newLake(), [file], { replaceAll: true })).rejects.toMatchObject({
      code: 'malformed_request',
      message: expect.stringContaining('network.duckdb'),
    })
  })
})
