import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import type { Clock } from '../../src/lake/disk/this-machine.ts'
import { openReader } from '../../src/lake/runs/readers.ts'
import { Lake } from '../../src/lake/snapshot/lake.ts'
import { type VacuumRequest, vacuum } from '../../src/lake/vacuum/vacuum.ts'
import { cleanUp } from '../support/clean-up.ts'
import { iotReward, makeLake } from '../support/lakes/make-lake.ts'
import { some } from '../support/some.ts'
import { readEntries } from '../support/tables/delta-table.ts'
import { madeUpSource } from '../support/tables/staged-files.ts'
import { tableActions } from '../support/tables/write-log.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const NOON = Date.UTC(2026, 5, 15, 12)
const in2001 = Date.UTC(2001, 0, 1)

/** This machine has run for seventy days. */
const now: Clock = { now: NOON, boot: 'aaaaaaaaaaaa', sinceBoot: 70 * DAY_MS }
const ago = (days: number): Clock => ({
  ...now,
  now: NOON - days * DAY_MS,
  sinceBoot: now.sinceBoot - days * DAY_MS,
})
/** The clock alone is wrong. */
const with2001 = (clock: Clock): Clock => ({ ...clock, now: in2001 })
const beforeRestart = (clock: Clock): Clock => ({ ...clock, boot: 'bbbbbbbbbbbb' })

let lake = ''
let version = 0
let committedAt = 0

beforeEach(async () => {
  lake = await temporaryFolder()
  mkdirSync(join(lake, 'iot_reward_shares', '_delta_log'), { recursive: true })
  version = 0
  committedAt = 0
})

/** Writes an entry as a commit does by its clock: no time goes back, which older builds do not note. `fileTime` is that of its file. */
function commit(
  clock: Clock,
  change: { add?: string; remove?: string },
  fileTime = clock.now,
  isNoted = false,
): void {
  committedAt = Math.max(committedAt, clock.now)
  const clockBehind = isNoted ? committedAt - clock.now : 0
  const partitionValues = { month: '2025-01' }
  const path = (name: string) => `month=2025-01/part-${name}.parquet`
  const lines: object[] = [
    {
      commitInfo: {
        timestamp: committedAt,
        boot: clock.boot,
        sinceBoot: clock.sinceBoot,
        ...(clockBehind > 0 && { clockBehind }),
      },
    },
  ]
  if (version === 0) lines.push(...tableActions(iotRewardShares, 'made-up'))
  const { add, remove } = change
  if (remove !== undefined) lines.push({ remove: { path: path(remove), deletionTimestamp: committedAt } })
  if (add !== undefined) {
    mkdirSync(join(lake, 'iot_reward_shares', 'month=2025-01'), { recursive: true })
    writeFileSync(join(lake, 'iot_reward_shares', path(add)), 'rows')
    const tags = {
      'ledgerlake.sha256': 'cd'.repeat(32),
      'ledgerlake.sources': JSON.stringify([madeUpSource(`${add}.gz`)]),
    }
    const facts = { size: 4, modificationTime: 1, dataChange: true, stats: '{"numRecords":1}', tags }
    lines.push({ add: { path: path(add), partitionValues, ...facts } })
  }
  const entry = join(lake, 'iot_reward_shares', '_delta_log', `${String(version).padStart(20, '0')}.json`)
  writeFileSync(entry, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  utimesSync(entry, new Date(fileTime), new Date(fileTime))
  version += 1
}

/** What a vacuum of the last week's keeping removes. */
async function removed(clock: Clock, more: Partial<VacuumRequest> = {}): Promise<readonly string[]> {
  const tables = await vacuum({ lake, keepHours: 168, isDryRun: false, clock, ...more })
  return tables.flatMap(({ paths }) => paths.map((path) => /part-(.*)\.parquet$/.exec(path)?.[1] ?? ''))
}
const files = () => readdirSync(join(lake, 'iot_reward_shares', 'month=2025-01')).length

describe('a file that was just removed is kept, although', () => {
  it.each([
    ['the clock of its commit was set to 2001', with2001(ago(0)), NOON],
    ['that clock was a month back, so no file time tells', { ...ago(0), now: NOON - 30 * DAY_MS }, undefined],
    ['clock and file time are of 2001', with2001(ago(0)), in2001],
  ])('%s', async (_, clock, fileTime) => {
    commit(ago(60), { add: 'old' })
    commit(clock, { add: 'new', remove: 'old' }, fileTime)
    expect(await removed(now)).toEqual([])
    expect(await removed({ ...now, now: NOON + 7 * DAY_MS, sinceBoot: now.sinceBoot + 7 * DAY_MS })).toEqual([
      'old',
    ])
  })

  it('the clock of the vacuum is a month ahead', async () => {
    commit(ago(60), { add: 'old' })
    commit(ago(0), { add: 'new', remove: 'old' })
    expect(await removed({ ...now, now: NOON + 30 * DAY_MS })).toEqual([])
    expect(files()).toBe(2)
  })

  it('its commit had a clock of 2001 before a restart, and then it counts from the next commit', async () => {
    commit(beforeRestart(ago(60)), { add: 'old' })
    commit(beforeRestart(with2001(ago(30))), { add: 'new', remove: 'old' }, in2001)
    expect(await removed(now)).toEqual([])
    commit(ago(6), { add: 'newer' })
    expect(await removed(now)).toEqual([])
    commit(ago(0), { add: 'newest' })
    expect(await removed({ ...now, now: NOON + DAY_MS, sinceBoot: now.sinceBoot + DAY_MS })).toEqual(['old'])
  })

  it('its commit had a clock of 2001 on a file system with the right one, before a restart', async () => {
    commit(beforeRestart(ago(60)), { add: 'old' })
    commit(beforeRestart(with2001(ago(6))), { add: 'new', remove: 'old' }, NOON - 6 * DAY_MS)
    expect(await removed(now)).toEqual([])
    expect(await removed({ ...now, now: NOON + DAY_MS })).toEqual(['old'])
  })
})

describe('after a restart, on a file system whose clock differs from the clock of the commit', () => {
  const minutes = (count: number) => count * 60_000
  const skewed = async (byMs: number) => {
    commit(beforeRestart(ago(60)), { add: 'old' }, ago(60).now + byMs)
    commit(beforeRestart(ago(6)), { add: 'new', remove: 'old' }, ago(6).now + byMs)
    return (ms: number) => removed({ ...now, now: NOON + ms })
  }

  it.each([-60, -5, -1])(
    'by %i minutes, a removed file is deleted a week after the commit',
    async (behind) => {
      const removedIn = await skewed(minutes(behind))
      expect(await removedIn(DAY_MS - 1)).toEqual([])
      expect(await removedIn(DAY_MS)).toEqual(['old'])
    },
  )

  it('and is ahead by minutes, it is deleted a week after its own time', async () => {
    const removedIn = await skewed(minutes(5))
    expect(await removedIn(DAY_MS + minutes(5) - 1)).toEqual([])
    expect(await removedIn(DAY_MS + minutes(5))).toEqual(['old'])
  })

  it('by more than an hour, it is kept until a week after the next commit', async () => {
    const removedIn = await skewed(minutes(-61))
    expect(await removedIn(300 * DAY_MS)).toEqual([])
    commit(ago(0), { add: 'newer' })
    expect(await removed({ ...now, now: NOON + 7 * DAY_MS, sinceBoot: now.sinceBoot + 7 * DAY_MS })).toEqual([
      'old',
    ])
  })
})

it('a file removed at a clock far in the future is deleted a week after the next commit', async () => {
  commit(beforeRestart(ago(60)), { add: 'old' })
  commit(beforeRestart({ ...ago(50), now: Date.UTC(2100, 0) }), { add: 'new', remove: 'old' })
  expect(await removed(now)).toEqual([])
  commit(ago(7), { add: 'newer' })
  expect(await removed(now)).toEqual(['old'])
})

it('vacuum keeps a re-added file for a week after its last removal', async () => {
  commit(ago(60), { add: 'old' })
  commit(ago(50), { remove: 'old' })
  commit(ago(40), { add: 'old' })
  commit(ago(30), { remove: 'foreign' })
  commit(ago(20), { add: 'foreign' })
  commit(ago(15), { remove: 'foreign' })
  expect(await removed(now)).toEqual(['foreign'])
  commit(ago(1), { remove: 'old', add: 'new' })
  expect(await removed(now)).toEqual([])
  expect(await removed({ ...now, now: NOON + 6 * DAY_MS, sinceBoot: now.sinceBoot + 6 * DAY_MS })).toEqual([
    'old',
  ])
})

it('a commit that names only the start of its machine counts as current', async () => {
  commit(ago(60), { add: 'old' })
  commit({ ...ago(50), sinceBoot: undefined as never }, { add: 'new', remove: 'old' })
  expect(await removed(now)).toEqual([])
})

describe('a commit by a clock that was set back', () => {
  it('stores in clockBehind by how much it is behind the previous commit', async () => {
    const made = await makeLake({
      'iot/iot_reward_share.1.gz': [iotReward('2025-01-11', 1, { beacon_amount: 7n })],
    })
    vi.useFakeTimers({ toFake: ['Date'], now: in2001 })
    onTestFinished(() => void vi.useRealTimers())
    await made.add({ 'iot/iot_reward_share.2.gz': [iotReward('2025-01-12', 1, { beacon_amount: 8n })] })
    const [first, second] = readEntries(join(made.folder, 'iot_reward_shares')).map(
      ({ actions }) => actions[0]?.commitInfo,
    )
    expect(first).not.toHaveProperty('clockBehind')
    expect(second).toMatchObject({
      timestamp: first?.timestamp,
      clockBehind: Number(first?.timestamp) - in2001,
    })
  })

  it('half an hour behind, before a restart, keeps its removed file until a week after the next commit', async () => {
    commit(beforeRestart(ago(60)), { add: 'old' })
    const behind = { ...ago(0), now: ago(60).now - HOUR_MS / 2 }
    commit(beforeRestart(behind), { add: 'new', remove: 'old' }, behind.now, true)
    expect(await removed(now)).toEqual([])
    commit(ago(0), { add: 'newer' })
    expect(await removed({ ...now, now: NOON + 7 * DAY_MS, sinceBoot: now.sinceBoot + 7 * DAY_MS })).toEqual([
      'old',
    ])
  })

  it('a second behind, as between two machines, keeps its removed file for a week from its own time', async () => {
    commit(beforeRestart(ago(60)), { add: 'old' })
    const behind = { ...ago(60), now: ago(60).now - 1000 }
    commit(beforeRestart(behind), { add: 'new', remove: 'old' }, behind.now, true)
    expect(await removed(now)).toEqual(['old'])
  })
})

describe('a clock that has jumped since the newest commit', () => {
  const ahead = { ...now, now: NOON + 30 * DAY_MS }
  const sentence =
    'By the clock 720 hours more have passed since the newest commit than this machine has run since then, and only so ' +
    'is a file old enough to be removed. Set the clock right, or, if it is right now, wait for the next ingest, or add --trust-clock.'

  beforeEach(() => {
    commit(beforeRestart(ago(60)), { add: 'old' })
    commit(beforeRestart(ago(1)), { add: 'new', remove: 'old' })
    commit(ago(0), { add: 'newest' })
  })

  it('makes a vacuum fail with advice, and removes no file', async () => {
    await expect(removed(ahead)).rejects.toMatchObject({ code: 'malformed_request', message: sentence })
    expect(files()).toBe(3)
  })

  it('is reported with the number of files that would be removed', async () => {
    const orphan = join(lake, 'iot_reward_shares', 'month=2025-01', 'part-orphan.parquet')
    writeFileSync(orphan, 'of no version')
    utimesSync(orphan, new Date(ago(1).now), new Date(ago(1).now))
    await expect(removed(ahead)).rejects.toThrow('and only so are 2 files old enough')
  })

  it('is accepted with trustsClock, and with keepHours of 0', async () => {
    expect(await removed(ahead, { trustsClock: true, isDryRun: true })).toEqual(['old'])
    expect(await removed(ahead, { keepHours: 0 })).toEqual(['old'])
  })

  it('is trusted once a newer commit has the same clock', async () => {
    commit(ahead, { add: 'later' })
    expect(await removed(ahead)).toEqual(['old'])
  })

  it('does not delay the removal of files that are old enough without the jump', async () => {
    const later = { ...now, now: NOON + 40 * DAY_MS, sinceBoot: now.sinceBoot + 10 * DAY_MS }
    expect(await removed(later)).toEqual(['old'])
  })
})

describe('a version that a process declares', () => {
  beforeEach(() => {
    commit(ago(60), { add: 'a' })
    commit(ago(50), { add: 'b', remove: 'a' })
    commit(ago(40), { add: 'c', remove: 'b' })
  })

  it('is kept until it is no longer declared, also with keepHours of 0', async () => {
    const reader = await openReader(lake)
    cleanUp(reader.close)
    const [{ resource, version }] = some((await new Lake(lake).latest()).tables)
    await reader.declare(new Map([[resource, [version, 1]]]))
    expect(await removed(now, { keepHours: 0 })).toEqual(['a'])
    await reader.declare(new Map([[resource, [version]]]))
    expect(await removed(now, { keepHours: 0 })).toEqual(['b'])
  })

  it('is released a week after the process of another machine gave its last sign of life', async () => {
    const reader = join(lake, '_readers', 'ffffffffffff-1-aaaaaaaaaaaa-left')
    mkdirSync(reader, { recursive: true })
    writeFileSync(join(reader, 'versions.json'), '{"iot_reward_shares":[0,1]}')
    expect(await removed(now)).toEqual([])
    expect(await removed({ ...now, sinceBoot: now.sinceBoot + 7 * DAY_MS })).toEqual(['a', 'b'])
    expect(readdirSync(join(lake, '_readers'))).toEqual([])
  })

  it.each(['', '{', '[]', '{"iot_reward_shares":0}', '{"iot_reward_shares":["0",-1,1.5]}'])(
    'does not count if the file contains %j',
    async (text) => {
      const reader = await openReader(lake)
      cleanUp(reader.close)
      const [own = ''] = readdirSync(join(lake, '_readers'))
      writeFileSync(join(lake, '_readers', own, 'versions.json'), text)
      expect(await removed(now)).toEqual(['a', 'b'])
    },
  )
})
