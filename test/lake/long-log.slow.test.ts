import fs, { readdirSync } from 'node:fs'
import promises from 'node:fs/promises'
import { basename, join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import { Lake } from '../../src/lake/snapshot/lake.ts'
import { replaceBuiltin } from '../support/replace-builtin.ts'
import { COMMIT_EVERY_MS, FIRST_COMMIT_MS, writeLongLog } from '../support/tables/long-log.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** What was opened and listed of the table, by name. */
const work = { opened: [] as string[], listings: 0 }

const note = (path: unknown) => {
  if (String(path).includes('/iot_reward_shares/')) work.opened.push(basename(String(path)))
}

replaceBuiltin(promises, (real) => ({
  open(path, ...more) {
    note(path)
    return real.open(path, ...more)
  },
  readdir: ((...given: Parameters<typeof real.readdir>) => {
    if (String(given[0]).endsWith('/iot_reward_shares/_delta_log')) work.listings += 1
    return real.readdir(...given)
  }) as typeof real.readdir,
}))
replaceBuiltin(fs, (real) => ({
  openSync(path, ...more) {
    note(path)
    return real.openSync(path, ...more)
  },
}))

const [COMMITS, LIVE] = [3000, 200]
const entries = () => work.opened.filter((name) => /^\d{20}\.json$/.test(name)).length
const facts = () => work.opened.filter((name) => /^[0-9a-f]{64}\.json\.gz$/.test(name)).length

let lake: string
let table: string
beforeAll(async () => {
  lake = await temporaryFolder()
  table = await writeLongLog(lake, { commits: COMMITS, live: LIVE })
})
beforeEach(() => {
  Object.assign(work, { opened: [], listings: 0 })
})

describe('a log of three thousand commits', () => {
  it('keeps every hundredth checkpoint of the last thousand commits, and every thousandth before', () => {
    const versions = readdirSync(join(table, '_delta_log')).flatMap((name) => {
      const [, version] = /^_snapshot\.(\d{20})/.exec(name) ?? []
      return version === undefined ? [] : [Number(version)]
    })
    const hundredths = Array.from({ length: 10 }, (_, place) => 2000 + place * 100)
    expect(versions.sort((a, b) => a - b)).toEqual([1000, ...hundredths, COMMITS - 6])
  })

  it('is opened by a checkpoint and seven reads of entries, and its facts are read once', async () => {
    const opened = new Lake(lake)
    const { files, rows, version } = (await opened.latest()).table(iotRewardShares)
    expect([version, files.length, rows]).toEqual([COMMITS - 1, LIVE, LIVE])
    // The entry of the checkpoint, the five after it, and the one that is not there.
    expect([entries(), facts()]).toEqual([7, LIVE])
    expect(work.listings).toBeLessThanOrEqual(2)
  })

  it('is not listed again without a new commit', async () => {
    // The folder was changed a moment ago, and its time may stay as it is when it is changed again at once.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
    onTestFinished(() => void vi.useRealTimers())
    const opened = new Lake(lake)
    const newest = await opened.latest()
    work.listings = 0
    for (let look = 0; look < 5; look += 1) expect(await opened.latest()).toBe(newest)
    expect(work.listings).toBe(0)
  })

  it.each([
    [COMMITS - 3, 10],
    [2950, 70],
    [2117, 120],
    [1500, 1100],
  ])('finds version %i by its instant with at most %i entries', async (version, most) => {
    const opened = new Lake(lake)
    const newest = await opened.latest()
    work.opened = []
    const time = FIRST_COMMIT_MS + version * COMMIT_EVERY_MS
    const at = async (instant: number) => [...(await opened.times.versionsAt(instant, newest)).values()]
    expect(await at(time)).toEqual([version])
    expect(entries()).toBeLessThanOrEqual(most)
    expect([await at(time - 1), await at(time + 1)]).toEqual([[version - 1], [version]])
  })

  it('shares its files between all opened versions', async () => {
    const opened = new Lake(lake)
    const newest = (await opened.latest()).table(iotRewardShares)
    work.opened = []
    for (const back of [1, 2, 3, 50]) {
      const id = await opened.idAt(new Map([[iotRewardShares, newest.version - back]]))
      const older = (await opened.at(String(id)))?.table(iotRewardShares)
      expect(older?.files).toHaveLength(LIVE)
      expect(older?.files.filter((file) => newest.files.includes(file))).toHaveLength(LIVE - back)
    }
    // Nothing but the first file that a vacuum took, once for each version.
    expect(facts()).toBe(4)
  })
})
