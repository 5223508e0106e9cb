import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import fs from 'node:fs/promises'
import { basename, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import { checkpointIfDue } from '../../src/lake/log/checkpoint.ts'
import { readNamedPaths, readTableLog } from '../../src/lake/log/delta-log.ts'
import type { TableLog } from '../../src/lake/log/table-state.ts'
import { MadeUpTable, noParquet } from '../support/lakes/made-up-table.ts'
import { openTestWriter } from '../support/open-test-writer.ts'
import { replaceBuiltin } from '../support/replace-builtin.ts'
import { readEntries } from '../support/tables/delta-table.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { scaled } from '../support/tier.ts'

/** Names of the files that were opened, in their order. */
const opened: string[] = []

replaceBuiltin(fs, (real) => ({
  open(path, ...more) {
    opened.push(String(path))
    return real.open(path, ...more)
  },
}))

const logOf = (table: string) => join(table, '_delta_log')
const digits = (version: number) => String(version).padStart(20, '0')
const entry = (version: number) => `${digits(version)}.json`
const snapshot = (version: number) => `_snapshot.${digits(version)}.ndjson.gz`
const checkpoint = (version: number) => `${digits(version)}.checkpoint.parquet`

function checkpointsOf(table: string): readonly string[] {
  return readdirSync(logOf(table))
    .filter((name) => name.startsWith('_') || name.includes('checkpoint'))
    .sort()
}

/** Also the order of the files must be the same, since tables keep it. */
function inOrder(log: TableLog | undefined): unknown {
  return {
    ...log,
    live: [...(log?.live ?? [])],
    removed: [...(log?.removed ?? [])],
    txns: [...(log?.txns ?? [])],
  }
}

/** What a reading gives, and the names of the files of the log that it opened. */
async function watched(...args: Parameters<typeof readTableLog>) {
  opened.length = 0
  const log = await readTableLog(...args)
  return { log, names: opened.map((path) => basename(path)) }
}

/** What the entries alone say. */
async function fromEntries(table: string, version?: number): Promise<TableLog | undefined> {
  const folder = await temporaryFolder()
  const log = join(folder, '_delta_log')
  mkdirSync(log)
  for (const name of readdirSync(logOf(table)).filter((name) => /^\d+\.json$/.test(name)))
    copyFileSync(join(logOf(table), name), join(log, name))
  return readTableLog(folder, version === undefined ? {} : { version })
}

it('after ten commits a checkpoint holds live files, removed ones, the protocol and the properties', async () => {
  const spillFolder = await temporaryFolder()
  const writer = await openTestWriter(spillFolder)
  const { table } = await MadeUpTable.of(12, writer)
  await writer.close()
  expect(checkpointsOf(table)).toEqual([checkpoint(10), '_last_checkpoint', snapshot(10)])
  expect(JSON.parse(readFileSync(join(logOf(table), '_last_checkpoint'), 'utf8'))).toEqual({
    version: 10,
    size: 13,
  })

  const file = await asyncBufferFromFile(join(logOf(table), checkpoint(10)))
  const rows = (await parquetReadObjects({ file, compressors })) as Record<string, Record<string, unknown>>[]
  expect(Object.keys(rows[0] ?? {})).toEqual(['txn', 'add', 'remove', 'metaData', 'protocol'])
  const kind = (name: string) => rows.flatMap((row) => (row[name] ? [row[name]] : []))
  expect(kind('protocol')).toEqual([
    {
      minReaderVersion: 1,
      minWriterVersion: 7,
      writerFeatures: ['appendOnly', 'invariants', 'ledgerlakeTags'],
    },
  ])
  expect(kind('metaData').map((metaData) => plain(metaData.configuration))).toEqual([
    {
      'delta.deletedFileRetentionDuration': 'interval 168 hours',
      'delta.checkpointInterval': '10',
      'ledgerlake.format': '3',
    },
  ])
  const actions = readEntries(table)
    .filter(({ version }) => version <= 10)
    .flatMap((own) => own.actions)
  const removes = actions.flatMap(({ remove }) => (remove ? [remove] : []))
  const gone = removes.map(({ path }) => path)
  const adds = actions.flatMap(({ add }) => (add ? [add] : [])).filter(({ path }) => !gone.includes(path))
  expect([adds.length, removes.length]).toEqual([8, 3])
  expect(kind('add').map(withPlainMaps)).toEqual(adds.map((add) => ({ ...add, dataChange: false })))
  expect(kind('remove').map(withPlainMaps)).toEqual(removes.map((own) => ({ ...own, dataChange: false })))
})

describe('a table of 205 commits', () => {
  let made: MadeUpTable
  beforeAll(async () => {
    const folder = await temporaryFolder()
    made = await MadeUpTable.in(folder, 205)
  })

  it('keeps the three newest checkpoints and every hundredth', () => {
    const versions = [100, 180, 190, 200]
    expect(checkpointsOf(made.table)).toEqual(
      [...versions.map(checkpoint), '_last_checkpoint', ...versions.map(snapshot)].sort(),
    )
  })

  it('is opened by the newest checkpoint, its last entry and the later entries', async () => {
    const { log, names } = await watched(made.table)
    expect(names.slice(0, -1)).toEqual([snapshot(200), ...[200, 201, 202, 203, 204].map(entry)])
    expect(names.at(-1)).toBe(entry(205))
    expect(log?.live.size).toBe(205 - 68)
    expect(log?.removed.size).toBe(68)
  })

  it('is opened at an older version by the newest checkpoint before it', async () => {
    const { log, names } = await watched(made.table, { version: 103 })
    expect(names).toEqual([snapshot(100), ...[100, 101, 102, 103].map(entry)])
    expect(log?.version).toBe(103)
    expect((await watched(made.table, { version: 100 })).names).toEqual([snapshot(100), entry(100)])
    expect((await watched(made.table, { version: 99 })).names).toHaveLength(100)
  })

  it('has the same state with and without checkpoints, digit for digit and in the same order', async () => {
    const versions = [0, 9, 100, 103, 204]
    for (const version of versions) {
      const log = await readTableLog(made.table, { version })
      expect(log?.version).toBe(version)
      expect(inOrder(log)).toEqual(inOrder(await fromEntries(made.table, version)))
    }
    expect(inOrder(await readTableLog(made.table))).toEqual(inOrder(await fromEntries(made.table)))
    const stats = [...((await readTableLog(made.table))?.live.values() ?? [])].at(-1)?.stats
    expect(stats).toBe('{"numRecords":1,"maxValues":{"amount":18446744073709551204}}')
  })

  it('continues from an earlier state without opening a checkpoint', async () => {
    const from = await readTableLog(made.table, { version: 202 })
    const { log, names } = await watched(made.table, { from })
    expect(names).toEqual([202, 203, 204, 205].map(entry))
    expect(log?.version).toBe(204)
  })

  it('is readable although entries before its checkpoint are missing, and versions that need them fail', async () => {
    const path = join(logOf(made.table), entry(7))
    const text = readFileSync(path)
    rmSync(path)
    expect((await readTableLog(made.table))?.version).toBe(204)
    const refusal = { code: 'lake_damaged', message: expect.stringContaining(path) }
    await expect(readTableLog(made.table, { version: 50 })).rejects.toMatchObject(refusal)
    await expect(readNamedPaths(made.table)).rejects.toMatchObject(refusal)
    writeFileSync(path, text)
  })
})

describe('a damaged checkpoint', () => {
  it('is skipped for the one before it, and that one for the entries', async () => {
    const { table } = await MadeUpTable.of(22)
    const whole = inOrder(await fromEntries(table))
    const first = async () => (await watched(table)).names.find((name) => name.endsWith('.json'))
    expect(await first()).toBe(entry(20))
    writeFileSync(join(logOf(table), snapshot(20)), 'garbage')
    expect(await first()).toBe(entry(10))
    rmSync(join(logOf(table), snapshot(10)))
    expect(await first()).toBe(entry(0))
    expect(inOrder(await readTableLog(table))).toEqual(whole)
  })

  it('with any flipped bit does not change the state of the table', async () => {
    const { table } = await MadeUpTable.of(11)
    const whole = inOrder(await fromEntries(table))
    const path = join(logOf(table), snapshot(10))
    const bytes = readFileSync(path)
    const step = scaled(12, 4)
    let passedOver = 0
    for (let at = 0; at < bytes.length; at += step) {
      const flipped = Buffer.from(bytes)
      flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << (at % 8)), at)
      writeFileSync(path, flipped)
      const { log, names } = await watched(table)
      expect(inOrder(log)).toEqual(whole)
      if (names.includes(entry(0))) passedOver += 1
    }
    // A few bytes of the head of gzip mean nothing.
    expect(passedOver).toBeGreaterThan(bytes.length / step - 5)
  })

  it('with the number of another version is not used although it is intact', async () => {
    const { table } = await MadeUpTable.of(11)
    const whole = inOrder(await fromEntries(table))
    const path = join(logOf(table), snapshot(10))
    const text = gunzipSync(readFileSync(path)).toString()
    const altered = text.replace(/"size":(\d+)/, '"size":1$1')
    expect(altered).not.toBe(text)
    writeFileSync(path, gzipSync(altered))
    expect((await watched(table)).names).toContain(entry(0))
    expect(inOrder(await readTableLog(table))).toEqual(whole)
  })

  it('of another table is not used', async () => {
    const [own, other] = [await MadeUpTable.of(12), await MadeUpTable.of(11)]
    copyFileSync(join(logOf(other.table), snapshot(10)), join(logOf(own.table), snapshot(10)))
    expect((await watched(own.table)).names).toContain(entry(0))
    expect(inOrder(await readTableLog(own.table))).toEqual(inOrder(await fromEntries(own.table)))
  })

  it('of an older build without removed files is not used, and the next commit writes a complete one', async () => {
    const made = await MadeUpTable.of(0)
    for (let commit = 0; commit < 12; commit += 1) await made.commit({ checkpoints: false })
    writeFileSync(join(logOf(made.table), checkpoint(10)), 'adds alone')
    writeFileSync(join(logOf(made.table), '_last_checkpoint'), '{"version":10,"size":12}')
    expect((await watched(made.table)).names[0]).toBe(entry(0))
    await made.commit()
    expect(checkpointsOf(made.table)).toEqual([
      checkpoint(10),
      checkpoint(12),
      '_last_checkpoint',
      snapshot(12),
    ])
    expect((await watched(made.table)).names[0]).toBe(snapshot(12))
  })
})

it('a forced checkpoint is written at once, and only once for a version', async () => {
  const { lake, table, staging } = await MadeUpTable.of(3)
  expect(checkpointsOf(table)).toEqual([])
  let written = 0
  const counting = {
    ...noParquet,
    writeCheckpoint: (actions: string, path: string) => {
      written += 1
      return noParquet.writeCheckpoint(actions, path)
    },
  }
  for (let time = 0; time < 2; time += 1)
    await checkpointIfDue(lake, iotRewardShares, counting, staging, true)
  expect(checkpointsOf(table)).toEqual([checkpoint(2), '_last_checkpoint', snapshot(2)])
  expect(written).toBe(1)
})

describe('over time', () => {
  const HOUR = 3_600_000
  const start = Date.UTC(2026, 0, 1)
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: start })
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it('removed files are kept for 168 hours, counted to the newest commit', async () => {
    const made = await MadeUpTable.of(3)
    vi.setSystemTime(start + 168 * HOUR)
    await made.commit()
    expect(made.log?.removed.size).toBe(1)
    vi.setSystemTime(start + 168 * HOUR + 1)
    await made.commit()
    expect(made.log?.removed.size).toBe(0)
    expect(inOrder(made.log)).toEqual(inOrder(await fromEntries(made.table)))
    expect((await readNamedPaths(made.table)).has('month=2025-01/part-0 of many.parquet')).toBe(true)
  })

  it('no commit and no removal is older than the commit before it, though the clock was set back', async () => {
    const made = await MadeUpTable.of(1)
    vi.setSystemTime(start - 1000 * HOUR)
    await made.commit()
    await made.commit()
    expect(made.log?.committedAt).toBe(start)
    const actions = readEntries(made.table).flatMap((own) => own.actions)
    const times = actions.flatMap(
      ({ commitInfo, remove }) => commitInfo?.timestamp ?? remove?.deletionTimestamp ?? [],
    )
    expect(times).toEqual([start, start, start, start])
  })
})

it('a version with an earlier time than its predecessor gets the time of the predecessor', async () => {
  const { table } = await MadeUpTable.of(2)
  const [first, second] = [await readTableLog(table, { version: 0 }), await readTableLog(table)]
  writeFileSync(
    join(logOf(table), entry(2)),
    `${JSON.stringify({ commitInfo: { timestamp: 1, operation: 'SET' } })}\n{"txn":{"appId":"a","version":7}}\n`,
  )
  const third = await readTableLog(table)
  expect(third?.committedAt).toBe(second?.committedAt)
  expect(second?.committedAt).toBeGreaterThanOrEqual(first?.committedAt ?? Number.POSITIVE_INFINITY)
  expect(third?.txns.get('a')).toEqual({ appId: 'a', version: 7 })
  expect(existsSync(join(logOf(table), entry(3)))).toBe(false)
})

/** A Parquet map as an object, whichever way the reader gives it. */
function plain(map: unknown): unknown {
  if (Array.isArray(map)) return Object.fromEntries(map.map(({ key, value }) => [key, value]))
  return map
}

/** A file as its action has it: maps as objects, sizes and times as numbers. */
function withPlainMaps(file: Readonly<Record<string, unknown>>): unknown {
  return Object.fromEntries(
    Object.entries(file).map(([name, value]) => [
      name,
      typeof value === 'bigint' ? Number(value) : plain(value),
    ]),
  )
}
