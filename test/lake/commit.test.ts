import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import { createIfAbsent } from '../../src/lake/disk/disk.ts'
import { sourceKey } from '../../src/lake/facts/source.ts'
import { readTableLog } from '../../src/lake/log/delta-log.ts'
import { Lake } from '../../src/lake/snapshot/lake.ts'
import type { StagedFile } from '../../src/write/store/amend-table.ts'
import { addedFiles, readEntries } from '../support/tables/delta-table.ts'
import { factsOf } from '../support/tables/file-facts.ts'
import { commitFiles, lakeOf, stageFile } from '../support/tables/staged-files.ts'
import { expectWholeLog } from '../support/tables/whole-log.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { scaled } from '../support/tier.ts'

const label = { operation: 'INGEST', runId: 'test' }
const commit = (lake: string, ...staged: StagedFile[]) => commitFiles(lake, iotRewardShares, staged, label)

/** Data files below a table, as paths relative to it. */
async function dataFiles(table: string): Promise<readonly string[]> {
  const entries = await readdir(table, { recursive: true })
  return entries.filter((entry) => entry.endsWith('.parquet')).sort()
}

function committedSources(table: string): readonly string[] {
  return addedFiles(table)
    .flatMap((file) => factsOf(table, file).sources as readonly { name: string }[])
    .map((source) => source.name)
    .sort()
}

/** What must hold of a log whatever happened to its writers. */
function expectSoundLog({ lake, table }: { lake: string; table: string }): void {
  expectWholeLog(lake)
  const descriptions = readEntries(table).flatMap(({ actions }) => actions.filter((own) => own.metaData))
  expect(descriptions).toHaveLength(1)
}

describe('commits at the same time', () => {
  it('all end up in the table, one version each', async () => {
    const { lake, table, staging } = await lakeOf(0)
    const names = Array.from({ length: 16 }, (_, number) => `share-${number}.gz`)
    const staged = await Promise.all(names.map((name) => stageFile(staging, name, [name])))
    const taken = await Promise.all(staged.map((file) => commit(lake, file)))
    expect(taken.map((keys) => keys.size)).toEqual(names.map(() => 0))
    expect(readEntries(table)).toHaveLength(16)
    expect(committedSources(table)).toEqual([...names].sort())
    expect(await dataFiles(table)).toHaveLength(16)
    expectSoundLog({ lake, table })
  })

  it('with the same source let exactly one of them in', async () => {
    const { lake, table, staging } = await lakeOf(0)
    const staged = await Promise.all(
      Array.from({ length: 24 }, (_, number) =>
        stageFile(staging, `file-${number}`, [`share-${number % 6}.gz`]),
      ),
    )
    const taken = await Promise.all(staged.map((file) => commit(lake, file)))
    for (let source = 0; source < 6; source += 1) {
      const key = `iot_reward_share/share-${source}.gz`
      const answers = taken.filter((_, number) => number % 6 === source).map((keys) => [...keys.keys()])
      expect(answers.filter((keys) => keys.length === 0)).toHaveLength(1)
      expect(answers.filter((keys) => keys.length > 0)).toEqual([[key], [key], [key]])
    }
    const once = ['0', '1', '2', '3', '4', '5'].map((number) => `share-${number}.gz`)
    expect(committedSources(table)).toEqual(once)
    expect(await dataFiles(table)).toEqual(
      addedFiles(table)
        .map((file) => file.path)
        .sort(),
    )
    expectSoundLog({ lake, table })
  })

  it('never show a reader less than a whole version', async () => {
    const { lake, table, staging } = await lakeOf(0)
    const staged = await Promise.all(
      Array.from({ length: 16 }, (_, number) => stageFile(staging, `file-${number}`, [`share-${number}.gz`])),
    )
    let isWriting = true
    const seen: number[] = []
    const reading = (async () => {
      while (isWriting) {
        const log = await readTableLog(table)
        if (log === undefined) continue
        seen.push(log.version)
        expect(log.live.size).toBe(log.version + 1)
        for (const path of log.live.keys()) expect(existsSync(join(table, path))).toBe(true)
      }
    })()
    await Promise.all(staged.map((file) => commit(lake, file)))
    isWriting = false
    await reading
    expect(new Set(seen).size).toBeGreaterThan(1)
    expect(seen).toEqual([...seen].sort((a, b) => a - b))
  })

  it('from several processes all end up in the table', async () => {
    const { lake, table } = await lakeOf(0)
    const writers = ['first', 'second', 'third'].map((prefix) => spawnWriter(lake, prefix, 12))
    const printed = await Promise.all(writers.map((writer) => writer.finished))
    const names = printed.flat().sort()
    expect(names).toHaveLength(36)
    expect(committedSources(table)).toEqual(names)
    expect(readEntries(table)).toHaveLength(36)
    expectSoundLog({ lake, table })
  })
})

it('writers killed at any moment leave a valid table with every reported commit', async () => {
  const { lake, table } = await lakeOf(0)
  const reported: string[] = []
  for (let round = 0; round < scaled(2, 6); round += 1) {
    const writer = spawnWriter(lake, `round${round}`, 100_000)
    await writer.committed(3 + round)
    writer.process.kill('SIGKILL')
    reported.push(...(await writer.finished))
    expectSoundLog({ lake, table })
    expect((await readTableLog(table))?.version).toBe(readEntries(table).length - 1)
  }
  expect(reported.length).toBeGreaterThan(scaled(6, 20))
  const committed = committedSources(table)
  expect(committed).toEqual(expect.arrayContaining(reported))
  // Of each writer at most one commit happened that it could not report any more.
  expect(committed.length - reported.length).toBeLessThanOrEqual(scaled(2, 6))
  expect(new Set(committed).size).toBe(committed.length)
})

describe('a commit whose source is already stored', () => {
  it('reports that source, changes nothing and leaves no data file', async () => {
    const { lake, table, staging } = await lakeOf(0)
    await commit(lake, await stageFile(staging, 'first', ['a.gz', 'b.gz']))
    const before = { entries: readEntries(table), files: await dataFiles(table) }
    const taken = await commit(lake, await stageFile(staging, 'second', ['b.gz', 'c.gz']))
    expect([...taken.keys()]).toEqual(['iot_reward_share/b.gz'])
    expect(readEntries(table)).toEqual(before.entries)
    expect(await dataFiles(table)).toEqual(before.files)
  })

  it('withdraws all its files when only one of them holds that source', async () => {
    const { lake, table, staging } = await lakeOf(0)
    await commit(lake, await stageFile(staging, 'first', ['a.gz']))
    const before = await dataFiles(table)
    const january = await stageFile(staging, 'january', ['a.gz'], '2025-01')
    const february = await stageFile(staging, 'february', ['z.gz'], '2025-02')
    expect([...(await commit(lake, february, january)).keys()]).toEqual(['iot_reward_share/a.gz'])
    expect(await dataFiles(table)).toEqual(before)
    expect(committedSources(table)).toEqual(['a.gz'])
  })

  it('treats a source of the same name but another kind as another source', async () => {
    const { lake, table, staging } = await lakeOf(0)
    await commit(lake, await stageFile(staging, 'first', ['a.gz']))
    const other = await stageFile(staging, 'second', ['a.gz'])
    const sources = other.sources.map((source) => ({ ...source, kind: 'another_kind' }))
    expect((await commit(lake, { ...other, sources })).size).toBe(0)
    expect(committedSources(table)).toEqual(['a.gz', 'a.gz'])
  })
})

it('a commit of several files is one entry that names them all', async () => {
  const { lake, table, staging } = await lakeOf(0)
  const january = await stageFile(staging, 'january', ['a.gz'], '2025-01')
  const february = await stageFile(staging, 'february', ['a.gz'], '2025-02')
  await commit(lake, january, february)
  expect(readEntries(table)).toHaveLength(1)
  expect(addedFiles(table).map((file) => file.partitionValues.month)).toEqual(['2025-01', '2025-02'])
  const snapshot = (await new Lake(lake).latest()).table(iotRewardShares)
  expect([...snapshot.sources.keys()]).toEqual([sourceKey({ kind: 'iot_reward_share', name: 'a.gz' })])
  expect([...snapshot.sources.values()][0]?.rows).toBe(2)
})

it('a data file without a log entry is not part of the table', async () => {
  const { lake, table, staging } = await lakeOf(0)
  await commit(lake, await stageFile(staging, 'first', ['a.gz']))
  await writeFile(join(table, 'month=2025-01', 'part-of-a-writer-that-died.parquet'), 'rows')
  await writeFile(join(table, '_delta_log', '.half-an-entry.tmp'), '{"commitInfo":{"timest')
  const log = await readTableLog(table)
  expect(log?.version).toBe(0)
  expect(log?.live.size).toBe(1)
  expect((await commit(lake, await stageFile(staging, 'second', ['b.gz']))).size).toBe(0)
  expect((await readTableLog(table))?.version).toBe(1)
})

describe('createIfAbsent', () => {
  it('succeeds for exactly one of many writers, with its whole file, and leaves no other file', async () => {
    const [folder, staging] = [await temporaryFolder(), await temporaryFolder()]
    const path = join(folder, 'entry')
    const contents = Array.from({ length: 32 }, (_, number) => String(number % 10).repeat(100_000 + number))
    const won = await Promise.all(contents.map((content) => createIfAbsent(path, content, staging)))
    expect(won.filter(Boolean)).toHaveLength(1)
    expect((await readFile(path, 'utf8')) === contents[won.indexOf(true)]).toBe(true)
    expect([await readdir(folder), await readdir(staging)]).toEqual([['entry'], []])
  })
})

describe('a reader that holds an old version', () => {
  it('still sees the files of that version after later commits', async () => {
    const { lake, table, staging } = await lakeOf(0)
    const held = []
    for (const name of ['a.gz', 'b.gz', 'c.gz']) {
      await commit(lake, await stageFile(staging, name, [name]))
      held.push(await readTableLog(table))
    }
    for (const [version, log] of held.entries()) {
      const again = await readTableLog(table, { version })
      expect(again).toEqual(log)
      expect(again?.live.size).toBe(version + 1)
    }
    expect(await readTableLog(table, { version: 3 })).toBeUndefined()
  })

  it('sees the same when it continues from an earlier state', async () => {
    const { lake, table, staging } = await lakeOf(0)
    await commit(lake, await stageFile(staging, 'a.gz', ['a.gz']))
    const from = await readTableLog(table)
    const kept = [...(from?.live.keys() ?? [])]
    await commit(lake, await stageFile(staging, 'b.gz', ['b.gz']))
    expect(await readTableLog(table, { from })).toEqual(await readTableLog(table))
    expect([...(from?.live.keys() ?? [])]).toEqual(kept)
  })
})

interface Writer {
  readonly process: ChildProcess
  /** The sources that it reported, once it has ended. */
  readonly finished: Promise<readonly string[]>
  /** Resolves when so many commits have been reported. */
  committed(count: number): Promise<void>
}

function spawnWriter(lake: string, prefix: string, count: number): Writer {
  const script = fileURLToPath(new URL('../support/tables/commit-sources.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', script, lake, prefix, String(count)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  let printed = ''
  const lines = () => printed.split('\n').slice(0, -1)
  child.stdout.setEncoding('utf8')
  child.stdout.on('data', (text: string) => {
    printed += text
  })
  const finished = new Promise<readonly string[]>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', () => resolve(lines()))
  })
  return {
    process: child,
    finished,
    async committed(wanted) {
      while (lines().length < wanted && child.exitCode === null) {
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
    },
  }
}
