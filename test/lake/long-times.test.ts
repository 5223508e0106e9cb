import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it } from 'vitest'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import { rejects } from '../../src/catalog/lake/rejects.ts'
import { checkpointIfDue } from '../../src/lake/log/checkpoint.ts'
import { writeActionLines } from '../../src/lake/log/log-entry.ts'
import { readCheckpointHead } from '../../src/lake/log/read-checkpoint.ts'
import { Lake } from '../../src/lake/snapshot/lake.ts'
import { TableTimes } from '../../src/lake/snapshot/table-times.ts'
import { filesBelow } from '../support/lakes/leftovers.ts'
import { COMMIT_EVERY_MS, FIRST_COMMIT_MS, writeLongLog } from '../support/tables/long-log.ts'
import { ms, writeLog } from '../support/tables/write-log.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const COMMITS = 45
let table = ''
let lake = ''
beforeEach(async () => {
  lake = await temporaryFolder()
  table = await writeLongLog(lake, { commits: COMMITS, live: 3, checkpointEvery: 10 })
})

const newest = async () => (await new Lake(lake).latest()).table(iotRewardShares)
const timeOf = (version: number) => FIRST_COMMIT_MS + version * COMMIT_EVERY_MS
const snapshot = (version: number) =>
  join(table, '_delta_log', `_snapshot.${String(version).padStart(20, '0')}.ndjson.gz`)
const noParquet = { writeCheckpoint: async (_: string, path: string) => writeFileSync(path, '') }

describe('the times of a log with checkpoints', () => {
  it('lead to each version, in any order of requests', async () => {
    const last = await newest()
    const times = new TableTimes(table, last)
    for (const version of [44, 0, 20, 40, 30, 39, 41, 10, 11, 9, 43])
      for (const [time, expected] of [
        [timeOf(version), version],
        [timeOf(version) - 1, version - 1],
        [timeOf(version) + 1, version],
      ] as const)
        expect(await times.versionAt(time, last)).toBe(expected)
    expect([await times.first(last), await times.last(last)]).toEqual([timeOf(0), timeOf(44)])
  })

  it('skip checkpoints that are damaged, of another log, or newer than the requested version', async () => {
    const last = await newest()
    writeFileSync(snapshot(40), 'damaged')
    writeFileSync(snapshot(30), readFileSync(snapshot(39)))
    const times = new TableTimes(table, last)
    expect(await times.versionAt(timeOf(35), last)).toBe(35)
    expect(await times.versionAt(timeOf(44), { version: 15, committedAt: timeOf(15) })).toBe(15)
    const entry = join(table, '_delta_log', `${'39'.padStart(20, '0')}.json`)
    writeFileSync(entry, `${readFileSync(entry, 'utf8')}\n`)
    expect(await new TableTimes(table, last).versionAt(timeOf(41), last)).toBe(41)
  })

  it('use the time of the commit before in place of an impossible time of the newest commit', async () => {
    const after = { version: 44, committedAt: 253_402_300_800_000 }
    expect(await new TableTimes(table, await newest()).last(after)).toBe(timeOf(44))
    const atCheckpoint = { version: 40, committedAt: 253_402_300_800_000 }
    expect(await new TableTimes(table, await newest()).last(atCheckpoint)).toBe(timeOf(40))
  })

  it('date a commit whose entry has disappeared as its predecessor', async () => {
    const last = await newest()
    rmSync(join(table, '_delta_log', `${'35'.padStart(20, '0')}.json`))
    expect(await new TableTimes(table, last).versionAt(timeOf(34), last)).toBe(35)
    expect(await new TableTimes(table, last).versionAt(timeOf(36), last)).toBe(36)
  })

  it('are 0 if no commit has a time', async () => {
    const other = await temporaryFolder()
    writeLog(other, iotRewardShares, [undefined, undefined])
    const last = (await new Lake(other).latest()).table(iotRewardShares)
    const times = new TableTimes(join(other, 'iot_reward_shares'), last)
    expect([await times.first(last), await times.last({ ...last, committedAt: 1e15 })]).toEqual([0, 0])
  })
})

describe('a checkpoint', () => {
  it('has a readable head, unless it is missing, damaged or of another version', async () => {
    expect(await readCheckpointHead(table, 39)).toMatchObject({ version: 39, committedAt: timeOf(39) })
    expect(await readCheckpointHead(table, 7)).toBeUndefined()
    writeFileSync(snapshot(7), readFileSync(snapshot(39)))
    expect(await readCheckpointHead(table, 7)).toBeUndefined()
    const [, ...lines] = gunzipSync(readFileSync(snapshot(39)))
      .toString()
      .trimEnd()
      .split('\n')
    const actions = lines.map((line) => JSON.parse(line) as object)
    for (const head of [
      { version: '39' },
      { version: 39 },
      { version: 39, committedAt: 1, entryDigest: 7 },
    ]) {
      writeFileSync(
        snapshot(39),
        gzipSync(writeActionLines((digest) => ({ snapshot: { ...head, digest } }), actions)),
      )
      expect(await readCheckpointHead(table, 39)).toBeUndefined()
    }
    expect((await newest()).version).toBe(COMMITS - 1)
  })

  it('is not written for a missing table', async () => {
    const before = filesBelow(lake)
    await checkpointIfDue(lake, rejects, noParquet, lake, true)
    expect(filesBelow(lake)).toEqual(before)
  })

  it('of every hundredth version is kept for a thousand commits, and of every thousandth for ever', async () => {
    const other = await temporaryFolder()
    writeLog(
      other,
      iotRewardShares,
      Array.from({ length: 2101 }, (_, place) => ms('2026-01-01') + place),
    )
    table = join(other, 'iot_reward_shares')
    const old = [900, 1000, 1099, 1100, 1500, 2000, 2050, 2090]
    for (const version of old) writeFileSync(snapshot(version), 'old')
    await checkpointIfDue(other, iotRewardShares, noParquet, other, true)
    expect([...old, 2100].filter((version) => existsSync(snapshot(version)))).toEqual([
      1000, 1100, 1500, 2000, 2050, 2090, 2100,
    ])
  })
})
