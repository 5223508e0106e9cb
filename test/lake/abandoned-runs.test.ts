import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openOffloadedStore } from '../../src/answers/offload/offloaded-store.ts'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import { stagingFolder } from '../../src/lake/disk/layout.ts'
import { birthOf, formerProcessSpace, readClock } from '../../src/lake/disk/this-machine.ts'
import { openRunFolder, openScratchFolder, takeAbandoned } from '../../src/lake/runs/run-folder.ts'
import { openStagingRun, type StagingRun } from '../../src/write/store/staging.ts'
import { filesBelow, leftoversOf } from '../support/lakes/leftovers.ts'
import { clockAfter } from '../support/tables/log-entries.ts'
import { commitFiles, stageFile } from '../support/tables/staged-files.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { waitFor } from '../support/wait.ts'

/** No process has such a number. */
const NOBODY = 2_147_483_646
const DAY_MS = 86_400_000

/** Names the folder of a run after a process that is gone, and gives it. */
function abandon(folder: string): string {
  const left = join(dirname(folder), basename(folder).replace(`-${process.pid}-`, `-${NOBODY}-`))
  renameSync(folder, left)
  return left
}

function age(folder: string, ms: number): void {
  const then = new Date(Date.now() - ms)
  utimesSync(folder, then, then)
}

const orphan = 'iot_reward_shares/month=2025-01/part-orphan.parquet'

/** A lake of one commit, and a run that died after it had committed one file and linked another. */
async function lakeWithAbandonedRun(): Promise<{ lake: string; left: string; committed: string }> {
  const lake = await temporaryFolder()
  const run = await openStagingRun(lake)
  await commit(lake, run, 'committed')
  const staged = await stageFile(run.folder, 'orphan', ['b.gz'])
  writeFileSync(join(lake, orphan), 'linked')
  expect(staged.path).toBe(join(run.folder, orphan))
  return { lake, left: abandon(run.folder), committed: orphan.replace('orphan', 'committed') }
}

async function commit(lake: string, run: StagingRun, name: string): Promise<void> {
  const staged = await stageFile(run.folder, name, [`${name}.gz`])
  await commitFiles(lake, iotRewardShares, [staged], { operation: 'INGEST', runId: run.id })
}

/** Starts a run and ends it. */
async function nextRun(lake: string): Promise<void> {
  const run = await openStagingRun(lake)
  await run.close()
}

const isThere = (lake: string, path: string) => existsSync(join(lake, path))
const log = (lake: string) => join(lake, 'iot_reward_shares', '_delta_log')
const entry = (lake: string, version: number) => join(log(lake), `${String(version).padStart(20, '0')}.json`)

describe('a file that a dead run linked', () => {
  it('is removed by the next run when no entry names it, and stays when one does', async () => {
    const { lake, committed } = await lakeWithAbandonedRun()
    await nextRun(lake)
    expect([isThere(lake, orphan), isThere(lake, committed)]).toEqual([false, true])
    expect(leftoversOf(lake)).toEqual([])
  })

  it('stays when an older version names it, though a newer one removes it', async () => {
    const { lake, committed } = await lakeWithAbandonedRun()
    const path = committed.replace('iot_reward_shares/', '')
    writeFileSync(
      entry(lake, 1),
      `${JSON.stringify({ remove: { path, deletionTimestamp: 0, dataChange: true } })}\n`,
    )
    await nextRun(lake)
    expect([isThere(lake, orphan), isThere(lake, committed)]).toEqual([false, true])
  })

  it('is removed together with other names of it by any number of runs that start at once', async () => {
    const { lake, committed } = await lakeWithAbandonedRun()
    const runs = await Promise.all(Array.from({ length: 8 }, () => openStagingRun(lake)))
    expect([isThere(lake, orphan), isThere(lake, committed)]).toEqual([false, true])
    expect(readdirSync(stagingFolder(lake)).sort()).toEqual(runs.map((run) => run.id).sort())
    await Promise.all(runs.map((run) => run.close()))
    expect(leftoversOf(lake)).toEqual([])
  })

  it.each([
    ['an entry is damaged', (lake: string) => writeFileSync(entry(lake, 0), '{"add":')],
    ['an entry is missing', (lake: string) => renameSync(entry(lake, 0), entry(lake, 7))],
    ['the log is gone', (lake: string) => renameSync(log(lake), `${log(lake)}-moved`)],
  ])('is kept while %s', async (_, damage) => {
    const { lake, committed } = await lakeWithAbandonedRun()
    damage(lake)
    const before = filesBelow(lake).filter((path) => !path.startsWith('_staging'))
    await nextRun(lake)
    expect(filesBelow(lake).filter((path) => !path.startsWith('_staging'))).toEqual(before)
    const [left = ''] = readdirSync(stagingFolder(lake))
    const staged = filesBelow(join(stagingFolder(lake), left)).filter((path) => !path.includes('/_facts/'))
    expect(staged).toEqual([committed, orphan].sort())
  })

  it('is removed once the log is readable again', async () => {
    const { lake, committed } = await lakeWithAbandonedRun()
    renameSync(log(lake), `${log(lake)}-moved`)
    await nextRun(lake)
    renameSync(`${log(lake)}-moved`, log(lake))
    for (const run of readdirSync(stagingFolder(lake))) abandon(join(stagingFolder(lake), run))
    await nextRun(lake)
    expect([isThere(lake, orphan), isThere(lake, committed)]).toEqual([false, true])
    expect(leftoversOf(lake)).toEqual([])
  })
})

describe('the folder of a run', () => {
  const withName = async (nameOf: (id: string) => string) => {
    const parent = await temporaryFolder()
    const { id, release } = await openRunFolder(parent)
    onTestFinished(release)
    const folder = join(parent, nameOf(id))
    mkdirSync(folder, { recursive: true })
    const isTaken = async (clock = readClock()) => {
      await takeAbandoned(parent, clock)
      return !existsSync(folder)
    }
    return { parent, folder, isTaken }
  }
  const numbered = (pid: number, birth: string | undefined) => (id: string) =>
    `${id.slice(0, 12)}-${pid}-${birth}-theirs`
  /** As builds named it that knew no birth. */
  const former = (pid: number) => () => `${formerProcessSpace()}-${pid}-theirs`
  const elsewhere = () => withName(() => `ffffffffffff-${NOBODY}-aaaaaaaaaaaa-left`)

  it('of a living process is never removed, at any age and by any clock', async () => {
    const nameOfParent = numbered(process.ppid, birthOf(process.ppid))
    for (const { folder, isTaken } of [await withName((id) => id), await withName(nameOfParent)]) {
      age(folder, 9000 * DAY_MS)
      for (const years of [-30, 0, 30])
        expect(await isTaken(clockAfter(readClock(), years * 365 * DAY_MS))).toBe(false)
    }
  })

  it.skipIf(process.platform !== 'linux')(
    'of a killed process is removed before its parent has reaped it',
    async () => {
      // The shell becomes a program that asks for nobody, and its child is killed.
      const parent = spawn('sh', ['-c', 'sleep 60 & echo $!; exec sleep 60'])
      onTestFinished(() => void parent.kill('SIGKILL'))
      const pid = await new Promise<number>((resolve) => {
        parent.stdout.once('data', (line) => resolve(Number(line)))
      })
      const { isTaken } = await withName(numbered(pid, birthOf(pid)))
      expect(await isTaken()).toBe(false)
      process.kill(pid, 'SIGKILL')
      await waitFor(async () => expect(await isTaken()).toBe(true))
    },
  )

  it('of an earlier process whose id was reused is removed at once', async () => {
    for (const pid of [process.pid, process.ppid])
      expect(await (await withName(numbered(pid, 'aaaaaaaaaaaa'))).isTaken()).toBe(true)
  })

  it('that an older build named is removed once its process has ended, and at once if it had the id of this process', async () => {
    expect(await (await withName(former(NOBODY))).isTaken()).toBe(true)
    expect(await (await withName(former(process.pid))).isTaken()).toBe(true)
    expect(await (await withName(former(process.ppid))).isTaken()).toBe(false)
  })

  it('of another machine is kept until it was unchanged for a week of running time', async () => {
    const { parent, folder, isTaken } = await elsewhere()
    age(folder, 9000 * DAY_MS)
    const first = readClock()
    expect(await isTaken({ ...first, now: first.now + 9000 * DAY_MS })).toBe(false)
    expect(await isTaken(clockAfter(first, 7 * DAY_MS - 1))).toBe(false)
    // A sign of life.
    age(folder, 1)
    expect(await isTaken(clockAfter(first, 8 * DAY_MS))).toBe(false)
    expect(await isTaken(clockAfter(first, 14 * DAY_MS))).toBe(false)
    expect(await isTaken(clockAfter(first, 15 * DAY_MS))).toBe(true)
    await takeAbandoned(parent)
    expect(readdirSync(parent).filter((name) => name.startsWith('.'))).toEqual([])
  })

  it('of another machine is silent for as long as this one has run since each start', async () => {
    const { isTaken } = await elsewhere()
    const started = (boot: string, days: number, day: number) => ({
      ...{ now: day * DAY_MS, boot, sinceBoot: days * DAY_MS },
    })
    expect(await isTaken(started('a', 30, 100))).toBe(false)
    expect(await isTaken(started('a', 33, 103))).toBe(false)
    expect(await isTaken(started('b', 3, 110))).toBe(false)
    expect(await isTaken(started('c', 0.9, 120))).toBe(false)
    expect(await isTaken(started('c', 1, 120.1))).toBe(true)
  })

  it('of another machine is kept although several machines with a long running time look at it within hours', async () => {
    const { isTaken } = await elsewhere()
    const look = (boot: string, day: number) => ({ now: day * DAY_MS, boot, sinceBoot: 30 * DAY_MS })
    for (const [boot, day] of [
      ['a', 100],
      ['b', 100.1],
      ['c', 100.2],
      ['a', 100.3],
    ] as const)
      expect(await isTaken(look(boot, day))).toBe(false)
  })

  it.each([
    '',
    '[]',
    '{}',
    '{"sign":"a","boot":7}',
    '{"sign":"a","boot":"b","sinceBoot":-1,"now":0,"unchangedMs":1}',
  ])('of another machine counts as new if its record is %j', async (text) => {
    const { parent, folder, isTaken } = await elsewhere()
    expect(await isTaken()).toBe(false)
    writeFileSync(join(parent, `.seen-${basename(folder)}`), text)
    expect(await isTaken(clockAfter(readClock(), 8 * DAY_MS))).toBe(false)
    expect(await isTaken(clockAfter(readClock(), 15 * DAY_MS + 1000))).toBe(true)
  })

  it('is touched every hour until it is released', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const { folder, release } = await openRunFolder(await temporaryFolder())
    age(folder, 7 * DAY_MS)
    vi.advanceTimersByTime(3_600_000)
    await waitFor(() => expect(Date.now() - statSync(folder).mtimeMs).toBeLessThan(60_000))
    release()
    expect(vi.getTimerCount()).toBe(0)
  })
})

it('a living run whose folder was removed can commit nothing more', async () => {
  const lake = await temporaryFolder()
  const run = await openStagingRun(lake)
  await commit(lake, run, 'before')
  const staged = await stageFile(run.folder, 'after', ['after.gz'])
  abandon(run.folder)
  await nextRun(lake)
  const label = { operation: 'INGEST', runId: run.id }
  await expect(commitFiles(lake, iotRewardShares, [staged], label)).rejects.toThrow('ENOENT')
  await expect(run.newDataFile(iotRewardShares, '2025-01')).rejects.toThrow('ENOENT')
  await run.close()
  expect(existsSync(entry(lake, 1))).toBe(false)
  expect(leftoversOf(lake)).toEqual([])
})

it('the temporary file that a killed server left of its sums disappears with the next write', async () => {
  const folder = await temporaryFolder()
  writeFileSync(join(folder, 'offloaded-bytes.json.tmp'), '{"digest":"hal')
  const store = openOffloadedStore(folder)
  await store.remember([['key', [{ period: 1n, type: 'gateway_reward', bytes: 2n ** 70n }]]])
  expect(readdirSync(folder)).toEqual(['offloaded-bytes.json'])
  const again = openOffloadedStore(folder)
  await again.ready()
  expect(again.groupsOf('key')?.[0]?.bytes).toBe(2n ** 70n)
})

it('temporary files of a killed server disappear when the next one starts', async () => {
  const parent = join(await temporaryFolder(), '_state', 'spill')
  const { folder } = await openScratchFolder(parent)
  writeFileSync(join(folder, 'duckdb_temp_storage_DEFAULT-0.tmp'), 'spilled')
  abandon(folder)
  const next = await openScratchFolder(parent)
  expect(readdirSync(parent)).toEqual([basename(next.folder)])
  await next.close()
  expect(readdirSync(parent)).toEqual([])
})
