import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import { rewardManifests } from '../../src/catalog/l2/reward-manifests.ts'
import { CommitTimes } from '../../src/lake/snapshot/commit-times.ts'
import { Lake } from '../../src/lake/snapshot/lake.ts'
import { ms, writeLog } from '../support/tables/write-log.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const day = (number: number) => ms(`2026-01-${String(number).padStart(2, '0')}`)

/** The versions by table name at each of the times, of a lake with these logs. */
async function versionsAt(
  lake: string,
  ...times: readonly number[]
): Promise<readonly Readonly<Record<string, number>>[]> {
  const newest = await new Lake(lake).latest()
  const commits = new CommitTimes(lake)
  const found: Readonly<Record<string, number>>[] = []
  for (const time of times) {
    const versions = await commits.versionsAt(time, newest)
    found.push(Object.fromEntries([...versions].map(([{ name }, version]) => [name, version])))
  }
  return found
}

const shares = (version: number) => ({ iot_reward_shares: version })

describe('the versions at an instant', () => {
  it('include all commits up to and including its millisecond', async () => {
    const lake = await temporaryFolder()
    writeLog(lake, iotRewardShares, [day(1), day(2), day(3)])
    expect(await versionsAt(lake, day(1), day(2) - 1, day(2), day(2) + 1, day(3), day(20))).toEqual(
      [0, 0, 1, 1, 2, 2].map(shares),
    )
  })

  it('of two commits in one millisecond include both', async () => {
    const lake = await temporaryFolder()
    writeLog(lake, iotRewardShares, [day(1), day(2), day(2), day(2), day(3)])
    expect(await versionsAt(lake, day(2) - 1, day(2))).toEqual([0, 3].map(shares))
  })

  it('never run backwards: a commit by a slow clock counts from the latest commit before it', async () => {
    const lake = await temporaryFolder()
    writeLog(lake, iotRewardShares, [day(1), day(10), day(2), day(9), day(11)])
    expect(await versionsAt(lake, day(2), day(9), day(10) - 1, day(10), day(11))).toEqual(
      [0, 0, 0, 3, 4].map(shares),
    )
  })

  it.each([
    ['no time', undefined],
    ['a time after the year 9999', 253_402_300_800_000],
  ])('date a commit with %s as its predecessor', async (_, time) => {
    const lake = await temporaryFolder()
    writeLog(lake, iotRewardShares, [day(1), day(2), time, day(4)])
    expect(await versionsAt(lake, day(2) - 1, day(2), day(3), day(4))).toEqual([0, 2, 2, 3].map(shares))
  })

  it('leave out a table that did not exist yet', async () => {
    const lake = await temporaryFolder()
    writeLog(lake, iotRewardShares, [day(1), day(4)])
    writeLog(lake, rewardManifests, [day(2), day(3)])
    expect(await versionsAt(lake, day(1) - 1, day(1), day(2), day(3), day(4))).toEqual([
      {},
      { iot_reward_shares: 0 },
      { iot_reward_shares: 0, reward_manifests: 0 },
      { iot_reward_shares: 0, reward_manifests: 1 },
      { iot_reward_shares: 1, reward_manifests: 1 },
    ])
  })

  it('are found for every commit of a long log', async () => {
    const lake = await temporaryFolder()
    const times = Array.from({ length: 70 }, (_, version) => day(1) + version * 1000)
    writeLog(lake, iotRewardShares, times)
    expect(await versionsAt(lake, ...times)).toEqual(times.map((_, version) => shares(version)))
  })
})

it('the bounds are the first commit of any table and the latest time of any commit', async () => {
  const lake = await temporaryFolder()
  writeLog(lake, iotRewardShares, [undefined, day(2), day(9), day(4)])
  writeLog(lake, rewardManifests, [day(3), day(8)])
  const newest = await new Lake(lake).latest()
  expect(await new CommitTimes(lake).boundsOf(newest)).toEqual({ first: day(2), last: day(9) })
})

describe('the times of commits', () => {
  it('are read only once, also after an aborted read', async () => {
    const lake = await temporaryFolder()
    const times = Array.from({ length: 50 }, (_, version) => day(1) + version * 1000)
    writeLog(lake, iotRewardShares, times)
    const newest = await new Lake(lake).latest()
    const commits = new CommitTimes(lake)
    const leaving = new AbortController()
    const given = commits.versionsAt(day(2), newest, leaving.signal)
    leaving.abort(new Error('gone'))
    await expect(given).rejects.toThrow('gone')
    expect([...(await commits.versionsAt(day(2), newest)).values()]).toEqual([49])
    // What is known is not read again.
    await rm(join(lake, 'iot_reward_shares', '_delta_log', '00000000000000000003.json'))
    expect([...(await commits.versionsAt(day(1) + 40_000, newest)).values()]).toEqual([40])
  })

  it('are read once for simultaneous requests', async () => {
    const lake = await temporaryFolder()
    const times = Array.from({ length: 40 }, (_, version) => day(1) + version * 1000)
    writeLog(lake, iotRewardShares, times)
    const newest = await new Lake(lake).latest()
    const commits = new CommitTimes(lake)
    const found = await Promise.all(times.map((time) => commits.versionsAt(time, newest)))
    expect(found.map((versions) => [...versions.values()])).toEqual(times.map((_, version) => [version]))
  })

  it('follow new commits, and start again if another lake replaces this one', async () => {
    const lake = await temporaryFolder()
    writeLog(lake, iotRewardShares, [day(1), day(2)])
    const commits = new CommitTimes(lake)
    const at = async (time: number) => {
      const newest = await new Lake(lake).latest()
      return [...(await commits.versionsAt(time, newest)).values()]
    }
    expect(await at(day(5))).toEqual([1])
    writeLog(lake, iotRewardShares, [day(4), day(6)], { id: 'more', first: 2 })
    expect(await at(day(5))).toEqual([2])
    await rm(lake, { recursive: true })
    writeLog(lake, iotRewardShares, [day(3), day(5), day(6), day(7)], {
      id: '99999999-2222-4333-8444-555555555555',
    })
    expect(await at(day(5))).toEqual([1])
    await rm(lake, { recursive: true })
    writeLog(lake, iotRewardShares, [day(5)], { id: '88888888-2222-4333-8444-555555555555' })
    expect([await at(day(4)), await at(day(5))]).toEqual([[], [0]])
  })
})
