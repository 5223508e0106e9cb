import { createHash } from 'node:crypto'
import { cp, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import { makers } from '../../src/catalog/l2/makers.ts'
import { rewardManifests } from '../../src/catalog/l2/reward-manifests.ts'
import { resources } from '../../src/catalog/resources.ts'
import { readTableLog } from '../../src/lake/log/delta-log.ts'
import { Lake } from '../../src/lake/snapshot/lake.ts'
import { versionsOfId, writeSnapshotId } from '../../src/lake/snapshot/snapshot-id.ts'
import { idAt } from '../support/tables/snapshot-ids.ts'
import { ms, writeLog } from '../support/tables/write-log.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const shares = { resource: iotRewardShares, version: 3, digest: 'aa'.repeat(32) }
const manifests = { resource: rewardManifests, version: 12, digest: 'bb'.repeat(32) }

/** Tables in the order in which ids named them by their places alone; never to be changed. */
const asGivenOutBefore = [
  'iot_reward_shares',
  'mobile_reward_shares',
  'reward_manifests',
  'iot_witness_ingest_reports',
  'rejects',
  'makers',
  'hotspots',
  'l1_accounts',
  'l1_transactions',
  'l1_transaction_actors',
  'l1_dc_burns',
  'l1_gateways',
  'l1_packets',
  'l1_rewards',
]

const namesOf = (id: string) =>
  Object.fromEntries([...(versionsOfId(id) ?? [])].map(([{ name }, version]) => [name, version]))

describe('the id of a snapshot', () => {
  it('names each table by three letters of its name, its version, and the content of its newest entry', () => {
    const digest = (text: string) => createHash('sha256').update(text)
    const tag = (name: string) =>
      [...digest(name).digest().subarray(0, 3)].map((byte) => String.fromCharCode(97 + (byte % 26))).join('')
    const content = `iot_reward_shares 3 ${'aa'.repeat(32)}\nreward_manifests 12 ${'bb'.repeat(32)}\n`
    const parts = [`${tag('iot_reward_shares')}3`, `${tag('reward_manifests')}12`].sort().join('')
    const id = writeSnapshotId([shares, manifests])
    expect(id).toBe(`${parts}-${digest(content).digest('hex').slice(0, 12)}`)
    expect(id).toBe('dma12ooc3-cf7e9b2c32d9')
    expect(encodeURIComponent(id)).toBe(id)
  })

  it('does not depend on the order in which tables are listed', () => {
    expect(writeSnapshotId([manifests, shares])).toBe(writeSnapshotId([shares, manifests]))
    expect(writeSnapshotId([])).toBe('')
  })

  it('is resolved to the versions of all existing tables', () => {
    const tables = resources.map((resource, version) => ({ resource, version: version * 1000, digest: 'x' }))
    const expected = Object.fromEntries(tables.map(({ resource, version }) => [resource.name, version]))
    expect(Object.keys(expected).length).toBeGreaterThanOrEqual(14)
    expect(namesOf(writeSnapshotId(tables))).toEqual(expected)
    const [only] = tables
    expect(namesOf(writeSnapshotId(only === undefined ? [] : [only]))).toEqual({ iot_reward_shares: 0 })
  })

  it.each([
    ['another version', { version: 4 }],
    ['another entry', { digest: 'ab'.repeat(32) }],
    ['another table', { resource: makers }],
  ])('differs for %s', (_, other) => {
    const id = writeSnapshotId([shares, manifests])
    expect(writeSnapshotId([{ ...shares, ...other }, manifests])).not.toBe(id)
  })
})

describe('an id of the form without the name of its lake', () => {
  it('lists versions in the former order of the tables', () => {
    const all = asGivenOutBefore.map((_, place) => place + 5)
    expect(namesOf(all.join('.'))).toEqual(
      Object.fromEntries(asGivenOutBefore.map((name, place) => [name, place + 5])),
    )
  })

  it.each([
    [
      '3.0.12.7.1',
      {
        iot_reward_shares: 3,
        mobile_reward_shares: 0,
        reward_manifests: 12,
        iot_witness_ingest_reports: 7,
        rejects: 1,
      },
    ],
    ['3..12', { iot_reward_shares: 3, reward_manifests: 12 }],
    ['....0', { rejects: 0 }],
    ['.............9', { l1_rewards: 9 }],
  ])('%s is still resolved to its versions', (id, versions) => {
    expect(namesOf(id)).toEqual(versions)
  })
})

it.each([
  'x',
  '1.x',
  '-1',
  '1e3',
  '1 ',
  '1.2.3.4.5.6.7.8.9.10.11.12.13.14.15',
  '0x1',
  '1,2',
  '1'.repeat(16),
  '0',
  '1',
  '2025',
  '3.',
  '01',
  '١',
  '',
  '.',
  '2025-01-29',
  '-0123456789ab',
  'zzz1-0123456789ab',
  writeSnapshotId([shares]).slice(0, -1),
  `${writeSnapshotId([shares])}0`,
  writeSnapshotId([shares]).toUpperCase(),
  writeSnapshotId([shares]).replace('3', '03'),
  writeSnapshotId([shares]).replace('-', ''),
  writeSnapshotId([shares]).replace('-', '.'),
])('%j is the id of no snapshot', (text) => {
  expect(versionsOfId(text)).toBeUndefined()
})

describe('two lakes', () => {
  const times = ['2026-01-01', '2026-01-02'].map(ms)

  it('at the same versions have ids that differ, and neither takes the id of the other', async () => {
    const [one, other] = [await temporaryFolder(), await temporaryFolder()]
    writeLog(one, iotRewardShares, times)
    writeLog(other, iotRewardShares, times, { id: '99999999-2222-4333-8444-555555555555' })
    const [first, second] = [new Lake(one), new Lake(other)]
    const ids = [(await first.latest()).id, (await second.latest()).id]
    expect(ids[0]).not.toBe(ids[1])
    expect(ids.map((id) => id.split('-')[0])).toEqual(['ooc1', 'ooc1'])
    expect((await first.at(String(ids[0])))?.id).toBe(ids[0])
    expect(await first.at(String(ids[1]))).toBeUndefined()
    expect([await first.idOf(String(ids[0])), await first.idOf(String(ids[1]))]).toEqual([ids[0], undefined])
  })

  it('have the same ids if one is a copy, until a commit makes them differ', async () => {
    const [one, parent] = [await temporaryFolder(), await temporaryFolder()]
    const copy = join(parent, 'copy')
    writeLog(one, iotRewardShares, times)
    await cp(one, copy, { recursive: true })
    const ids = async () => [(await new Lake(one).latest()).id, (await new Lake(copy).latest()).id]
    const [before, same] = await ids()
    expect(same).toBe(before)
    await rename(copy, `${copy}-moved`)
    expect((await new Lake(`${copy}-moved`).latest()).id).toBe(before)
    writeLog(one, iotRewardShares, [ms('2026-01-03')], { id: 'one', first: 2 })
    writeLog(copy, iotRewardShares, times)
    writeLog(copy, iotRewardShares, [ms('2026-01-03')], { id: 'other', first: 2 })
    const [mine, theirs] = await ids()
    expect(mine).not.toBe(theirs)
    expect((await new Lake(copy).at(String(before)))?.id).toBe(before)
  })
})

it('reading an older snapshot ends with its signal', async () => {
  const lake = await temporaryFolder()
  writeLog(lake, iotRewardShares, ['2026-01-01', '2026-01-02', '2026-01-03'].map(ms))
  const table = join(lake, 'iot_reward_shares')
  const signal = AbortSignal.abort(new Error('gone'))
  await expect(readTableLog(table, { version: 1, signal })).rejects.toThrow('gone')
  const id = await idAt(lake, iotRewardShares, 1)
  await expect(new Lake(lake).at(id, signal)).rejects.toThrow('gone')
  await expect(new Lake(lake).idOf(id, signal)).rejects.toThrow('gone')
})

describe('an id in the older form', () => {
  const dates = (...texts: readonly string[]) => texts.map(ms)

  it('is resolved to the snapshot, which has the newer id', async () => {
    const lake = await temporaryFolder()
    writeLog(lake, iotRewardShares, dates('2026-01-01', '2026-01-03'))
    writeLog(lake, rewardManifests, dates('2026-01-02', '2026-01-04'))
    const id = await new Lake(lake).idOf('0..0')
    expect(id).toMatch(/^dma0ooc0-[0-9a-f]{12}$/)
    const at = await new Lake(lake).at(String(id))
    expect([at?.table(iotRewardShares).version, at?.table(rewardManifests).version]).toEqual([0, 0])
    expect(await new Lake(lake).idOf('0..2')).toBeUndefined()
  })

  it('that leaves out an existing table is resolved to no snapshot', async () => {
    const lake = await temporaryFolder()
    writeLog(lake, iotRewardShares, dates('2026-01-01', '2026-01-04'))
    writeLog(lake, rewardManifests, dates('2026-01-02'))
    writeLog(lake, makers, dates('2026-01-03'))
    const ids = ['0..0', '1..0', '0.....0', '..0...0', '1..0...0']
    const versions = await Promise.all(ids.map(async (id) => (await new Lake(lake).idOf(id))?.split('-')[0]))
    // The makers came after the manifests, and before the second commit of shares.
    expect(versions).toEqual(['dma0ooc0', undefined, undefined, undefined, 'dma0ooc1ryc0'])
  })
})
