import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { Lake } from '../../src/lake/lake.ts'
import { openReader } from '../../src/lake/readers.ts'
import type { Clock } from '../../src/lake/this-machine.ts'
import { type VacuumRequest, vacuum } from '../../src/lake/vacuum.ts'
import { cleanUp } from '../support/clean-up.ts'
import { some } from '../support/some.ts'
import { madeUpSource } from '../support/stage-file.ts'
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

/** Writes an entry as a commit does by its clock: no time goes back. `fileTime` is that of its file, by the clock of the machine. */
function commit(clock: Clock, change: { add?: string; remove?: string }, fileTime = clock.now): void {
  committedAt = Math.max(committedAt, clock.now)
  const partitionValues = { month: '2025-01' }
  const path = (name: string) => `month=2025-01/part-${name}.parquet`
  const lines: object[] = [
    { commitInfo: { timestamp: committedAt, boot: clock.boot, sinceBoot: clock.sinceBoot } },
  ]
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

  it('its commit had a clock of 2001 before a restart: it is as old as the next commit', async () => {
    commit(beforeRestart(ago(60)), { add: 'old' })
    commit(beforeRestart(with2001(ago(30))), { add: 'new', remove: 'old' }, in2001)
    expect(await removed(now)).toEqual([])
    commit(ago(6), { add: 'newer' })
    expect(await removed(now)).toEqual([])
    commit(ago(0), { add: 'newest' })
    expect(await removed({ ...now, now: NOON + DAY_MS, sinceBoot: now.sinceBoot + DAY_MS })).toEqual(['old'])
  })

  it('its commit went by a clock of 2001 on a file system that had the right one, before a restart', async () => {
    commit(beforeRestart(ago(60)), { add: 'old' })
    commit(beforeRestart(with2001(ago(6))), { add: 'new', remove: 'old' }, NOON - 6 * DAY_MS)
    expect(await removed(now)).toEqual([])
    expect(await removed({ ...now, now: NOON + DAY_MS })).toEqual(['old'])
  })
})

it('a file that was removed by a clock of the far future goes a week after the next commit', async () => {
  commit(beforeRestart(ago(60)), { add: 'old' })
  commit(beforeRestart({ ...ago(50), now: Date.UTC(2100, 0) }), { add: 'new', remove: 'old' })
  expect(await removed(now)).toEqual([])
  commit(ago(7), { add: 'newer' })
  expect(await removed(now)).toEqual(['old'])
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

  it('removes nothing by it, and says how to go on', async () => {
    await expect(removed(ahead)).rejects.toMatchObject({ code: 'malformed_request', message: sentence })
    expect(files()).toBe(3)
  })

  it('does when it is told to, or when nothing is to be kept', async () => {
    expect(await removed(ahead, { trustsClock: true, isDryRun: true })).toEqual(['old'])
    expect(await removed(ahead, { keepHours: 0 })).toEqual(['old'])
  })

  it('is no matter once a commit has the same clock', async () => {
    commit(ahead, { add: 'later' })
    expect(await removed(ahead)).toEqual(['old'])
  })

  it('is no matter where files are old without it', async () => {
    const later = { ...now, now: NOON + 40 * DAY_MS, sinceBoot: now.sinceBoot + 10 * DAY_MS }
    expect(await removed(later)).toEqual(['old'])
  })
})

describe('what a living process declares', () => {
  beforeEach(() => {
    commit(ago(60), { add: 'a' })
    commit(ago(50), { add: 'b', remove: 'a' })
    commit(ago(40), { add: 'c', remove: 'b' })
  })

  it('stays until it is declared no more, though nothing were to be kept', async () => {
    const reader = await openReader(lake)
    cleanUp(reader.close)
    const [{ resource, version }] = some((await new Lake(lake).latest()).tables)
    await reader.declare(new Map([[resource, [version, 1]]]))
    expect(await removed(now, { keepHours: 0 })).toEqual(['a'])
    await reader.declare(new Map([[resource, [version]]]))
    expect(await removed(now, { keepHours: 0 })).toEqual(['b'])
  })

  it('goes with the process', async () => {
    const reader = join(lake, '_readers', 'ffffffffffff-1-aaaaaaaaaaaa-left')
    mkdirSync(reader, { recursive: true })
    writeFileSync(join(reader, 'versions.json'), '{"iot_reward_shares":[0,1]}')
    expect(await removed(now)).toEqual([])
    expect(await removed({ ...now, sinceBoot: now.sinceBoot + 7 * DAY_MS })).toEqual(['a', 'b'])
    expect(readdirSync(join(lake, '_readers'))).toEqual([])
  })

  it.each(['', '{', '[]', '{"iot_reward_shares":0}', '{"iot_reward_shares":["0",-1,1.5]}'])(
    'is nothing where it says %j',
    async (text) => {
      const reader = await openReader(lake)
      cleanUp(reader.close)
      const [own = ''] = readdirSync(join(lake, '_readers'))
      writeFileSync(join(lake, '_readers', own, 'versions.json'), text)
      expect(await removed(now)).toEqual(['a', 'b'])
    },
  )
})
