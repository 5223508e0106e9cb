import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { iotRewardShares } from '../../../src/catalog/l2/iot-reward-shares.ts'
import { mobileRewardShares } from '../../../src/catalog/l2/mobile-reward-shares.ts'
import type { GroupRange } from '../../../src/catalog/query/group-range.ts'
import type { Resource } from '../../../src/catalog/resource.ts'
import { BlockCache } from '../../../src/index/blocks/block-cache.ts'
import { findCover, isExact } from '../../../src/index/keyed/cover.ts'
import { openKeyFile } from '../../../src/index/keyed/key-file.ts'
import { type KeyIndex, openKeyIndex } from '../../../src/index/keyed/key-index.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { readNewestTable, Snapshot, TableSnapshot } from '../../../src/lake/snapshot/snapshot.ts'
import { deriveSeed, openRandom } from '../../../src/write/sample/random.ts'
import { keyText } from '../../../src/write/wire/keys.ts'
import { buildIndex, deriveBlocks } from '../../support/lakes/derive-all.ts'
import {
  at,
  dayBefore,
  hotspot,
  iotReward,
  iotShare,
  type MadeLake,
  makeLake,
  mobileReward,
  mobileShare,
} from '../../support/lakes/make-lake.ts'
import { openTestWriter } from '../../support/open-test-writer.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { scaled } from '../../support/tier.ts'

interface Reward {
  readonly hotspot: number
  readonly end: bigint
  readonly beacon_amount: bigint
  readonly witness_amount: bigint
}

const columns = ['beacon_amount', 'witness_amount'] as const
const whole: GroupRange = { from: -(2n ** 63n), to: 2n ** 63n - 1n }
const largest = 2n ** 64n - 1n

/** Rewards of some hotspots on one day: amounts of all sizes, hotspots twice, hotspots without any. */
function rewardsOf(date: string, seed: string): readonly Reward[] {
  const random = openRandom(deriveSeed(seed))
  const amounts = [0n, 1n, 65_535n, 65_536n, 4_294_967_295n, 4_294_967_296n, 2n ** 63n, largest]
  const amount = () => amounts[random.below(amounts.length)] ?? 0n
  return Array.from({ length: 60 }, () => ({
    hotspot: random.below(40),
    end: at(`${date}T00:00:00Z`),
    beacon_amount: amount(),
    witness_amount: amount(),
  }))
}

const messages = (date: string, rewards: readonly Reward[]) =>
  rewards.map(({ hotspot: number, beacon_amount, witness_amount }) =>
    iotReward(date, number, { beacon_amount, witness_amount }),
  )

/** The sums by a plain loop over what was written. */
function plainSums(rewards: readonly Reward[], number: number, { from, to }: GroupRange) {
  const own = rewards.filter((reward) => reward.hotspot === number && reward.end >= from && reward.end <= to)
  const sumOf = (column: (typeof columns)[number]) => own.reduce((sum, reward) => sum + reward[column], 0n)
  return { beacon_amount: sumOf('beacon_amount'), witness_amount: sumOf('witness_amount') }
}

const dates = ['2024-12-30', '2025-01-01', '2025-01-02', '2025-06-30', '2025-12-31', '2026-01-01']
const everyReward = dates.map((date) => rewardsOf(date, date))
const all = everyReward.flat()

let lake: MadeLake
let state: string

/** One file a day; the first day of a year ends the last period of the year before. */
beforeEach(async () => {
  lake = await makeLake(
    Object.fromEntries(
      dates.map((date, index) => [
        `iot/iot_reward_share.${index + 1}.gz`,
        messages(date, everyReward[index] ?? []),
      ]),
    ),
  )
  state = await temporaryFolder()
})

const latest = () => new Lake(lake.folder).latest()
const files = (resource: Resource = iotRewardShares) =>
  readdirSync(join(state, 'by-key', resource.name)).map((name) => join(state, 'by-key', resource.name, name))

const build = (at: Snapshot) => buildIndex(lake.folder, state, at)

async function open(at: Snapshot): Promise<{ index: KeyIndex; lacking: number }> {
  const index = openKeyIndex(state, openTestWriter, 1)
  onTestFinished(() => index.close())
  return { index, lacking: (await index.load(at)).length }
}

const sums = (index: KeyIndex, at: Snapshot, number: number, range: GroupRange) =>
  index.sums(at.table(iotRewardShares), hotspot(number).text, range, columns)

const ranges: readonly GroupRange[] = [
  whole,
  { from: at('2025-01-01T00:00:00Z'), to: at('2025-12-31T00:00:00Z') },
  { from: at('2025-01-01T00:00:00Z') + 1n, to: at('2025-12-31T00:00:00Z') - 1n },
  { from: at('2024-12-31T23:59:59Z'), to: at('2025-01-01T00:00:00Z') },
  { from: at('2026-01-01T00:00:00Z'), to: at('2026-01-01T00:00:00Z') },
  { from: at('2025-02-01T00:00:00Z'), to: at('2025-02-02T00:00:00Z') },
  { from: at('2030-01-01T00:00:00Z'), to: at('2031-01-01T00:00:00Z') },
  { from: at('2026-01-01T00:00:00Z'), to: at('2024-01-01T00:00:00Z') },
]

describe('the index by hotspot', () => {
  it('sums the rewards of every hotspot exactly over every range, beyond 64 bits too', async () => {
    const snapshot = await latest()
    expect(await build(snapshot)).toEqual(['iot_reward_shares'])
    const { index, lacking } = await open(snapshot)
    expect([lacking, index.lacks(snapshot)]).toEqual([0, false])
    for (const range of ranges) {
      for (let number = 0; number < 41; number += 1) {
        expect(sums(index, snapshot, number, range)).toEqual(plainSums(all, number, range))
      }
    }
    const most = Math.max(...all.map(({ hotspot: number }) => number))
    expect(
      plainSums(all, most, whole).beacon_amount + plainSums(all, most, whole).witness_amount,
    ).toBeGreaterThan(0n)
  })

  it('has() is true for keys with rows, and undefined for a version that it was not built for', async () => {
    const before = await latest()
    await build(before)
    const { index } = await open(before)
    const earned = new Set(all.map(({ hotspot: number }) => number))
    const table = before.table(iotRewardShares)
    for (let number = 0; number < 41; number += 1)
      expect(index.has(table, hotspot(number).text)).toBe(earned.has(number))
    await lake.add({ 'iot/iot_reward_share.9.gz': messages('2025-03-01', rewardsOf('2025-03-01', 'more')) })
    expect(index.has((await latest()).table(iotRewardShares), hotspot(0).text)).toBeUndefined()
  })

  it('sums the converted rewards of some hotspots by group, and names the hotspots that have any', async () => {
    const snapshot = await latest()
    await build(snapshot)
    const { index } = await open(snapshot)
    const table = snapshot.table(iotRewardShares)
    // One source adds nothing, each amount of the others is rounded up to a multiple of ten.
    const rounded = (amount: bigint) => ((amount + 9n) / 10n) * 10n
    const of = (source: string) => (source === 'iot_reward_share.2.gz' ? undefined : rounded)
    for (const range of ranges) {
      const asked = { range, summed: [...columns, { column: 'witness_amount', of }] }
      for (const numbers of [[1, 2, 3, 41], [7], [41], Array.from({ length: 41 }, (_, number) => number)]) {
        const keys = numbers.map((number) => hotspot(number).text)
        const sums: Record<string, readonly bigint[]> = {}
        const withRows = index.groupSums(table, keys, asked, ({ source, period, type }, own) => {
          sums[`${period} ${type} ${source}`] = own.map(BigInt)
        })
        const expected: Record<string, readonly bigint[]> = {}
        for (const [file, rewards] of everyReward.entries()) {
          const mine = rewards.filter(
            ({ hotspot: number, end }) => numbers.includes(number) && end >= range.from && end <= range.to,
          )
          if (mine.length === 0) continue
          const sumOf = (amounts: readonly bigint[]) => amounts.reduce((sum, amount) => sum + amount, 0n)
          const witness = mine.map(({ witness_amount }) => witness_amount)
          expected[`${mine[0]?.end} gateway_reward iot_reward_share.${file + 1}.gz`] = [
            sumOf(mine.map(({ beacon_amount }) => beacon_amount)),
            sumOf(witness),
            file === 1 ? 0n : sumOf(witness.map(rounded)),
          ]
        }
        expect(sums).toEqual(expected)
        const have = (number: number) =>
          all.some(({ hotspot: own, end }) => own === number && end >= range.from && end <= range.to)
        expect(withRows).toEqual(numbers.filter(have).map((number) => hotspot(number).text))
      }
    }
  })

  it('filters by reward type, and sums to 0 for a type without rows', async () => {
    const snapshot = await latest()
    await build(snapshot)
    const { index } = await open(snapshot)
    expect(sums(index, snapshot, 7, { ...whole, type: 'gateway_reward' })).toEqual(plainSums(all, 7, whole))
    expect(sums(index, snapshot, 7, { ...whole, type: 'radio_reward' })).toEqual({
      beacon_amount: 0n,
      witness_amount: 0n,
    })
  })

  it('gets a file for each commit, and merges files that are less than four times as large', async () => {
    const before = await latest()
    await build(before)
    const more: Reward[] = []
    const counts: number[] = []
    for (const [number, date] of ['2025-07-01', '2025-07-02', '2025-07-03'].entries()) {
      more.push(...rewardsOf(date, 'more'))
      await lake.add({ [`iot/iot_reward_share.7${number}.gz`]: messages(date, rewardsOf(date, 'more')) })
      const after = await latest()
      expect(await build(after)).toEqual(['iot_reward_shares'])
      counts.push(files().length)
      const { index, lacking } = await open(after)
      expect(lacking).toBe(0)
      for (let reward = 0; reward < 41; reward += 1)
        expect(sums(index, after, reward, whole)).toEqual(plainSums([...all, ...more], reward, whole))
      await index.load(before)
      expect(sums(index, before, 7, whole)).toEqual(plainSums(all, 7, whole))
    }
    expect(counts).toEqual([2, 1, 2])
  })

  it('does not answer for periods whose sources differ in that version of the table', async () => {
    const before = await latest()
    await build(before)
    const more = rewardsOf('2025-07-01', 'more')
    await lake.add({ 'iot/iot_reward_share.7.gz': messages('2025-07-01', more) })
    const after = await latest()
    const { index, lacking } = await open(after)
    expect([lacking, index.lacks(after), index.lacks(before)]).toEqual([1, true, false])
    expect(sums(index, after, 7, whole)).toBeUndefined()
    expect(
      sums(index, after, 7, { from: at('2025-07-01T00:00:00Z'), to: at('2025-07-01T00:00:00Z') }),
    ).toBeUndefined()
    const untouched = { from: at('2025-01-01T00:00:00Z'), to: at('2025-06-30T00:00:00Z') }
    expect(sums(index, after, 7, untouched)).toEqual(plainSums(all, 7, untouched))
    expect(sums(index, before, 7, whole)).toEqual(plainSums(all, 7, whole))
  })

  it('adds the rows of a commit to the index, and still answers for the version before', async () => {
    const before = await latest()
    await build(before)
    const more = [...rewardsOf('2025-07-01', 'more'), ...rewardsOf('2025-07-01', 'even more')]
    await lake.add({ 'iot/iot_reward_share.7.gz': messages('2025-07-01', more) })
    const after = await latest()
    expect(await build(after)).toEqual(['iot_reward_shares'])
    expect(await build(after)).toEqual([])
    const { index, lacking } = await open(after)
    expect(lacking).toBe(0)
    await index.load(before)
    for (let number = 0; number < 41; number += 1) {
      expect(sums(index, after, number, whole)).toEqual(plainSums([...all, ...more], number, whole))
      expect(sums(index, before, number, whole)).toEqual(plainSums(all, number, whole))
    }
  })

  it('keeps the other hotspots when a commit has rewards of one', async () => {
    await build(await latest())
    const [one] = rewardsOf('2025-07-01', 'one')
    if (one === undefined) throw new Error('nothing was drawn')
    await lake.add({ 'iot/iot_reward_share.7.gz': messages('2025-07-01', [one]) })
    const after = await latest()
    await build(after)
    const { index } = await open(after)
    for (let number = 0; number < 41; number += 1)
      expect(sums(index, after, number, whole)).toEqual(plainSums([...all, one], number, whole))
  })

  it('answers for a table with only some of its sources by those sources', async () => {
    await build(await latest())
    const less = await makeLake({
      'iot/iot_reward_share.2.gz': messages('2025-01-01', everyReward[1] ?? []),
      'iot/iot_reward_share.8.gz': messages('2025-08-01', rewardsOf('2025-08-01', 'other')),
    })
    const other = await new Lake(less.folder).latest()
    const { index, lacking } = await open(other)
    expect(lacking).toBe(1)
    expect(sums(index, other, 7, whole)).toBeUndefined()
    const range = { from: whole.from, to: at('2025-07-31T00:00:00Z') }
    for (let number = 0; number < 41; number += 1)
      expect(sums(index, other, number, range)).toEqual(plainSums(everyReward[1] ?? [], number, range))
    expect(index.has(other.table(iotRewardShares), hotspot(7).text)).toBeUndefined()
  })

  it('holds keys of any length', async () => {
    const long = Buffer.alloc(294, 7)
    long[0] = 3
    await lake.add({
      'iot/iot_reward_share.8.gz': [
        iotShare({
          ...dayBefore('2025-08-01'),
          reward_type: 'gateway_reward',
          hotspot_key: long,
          beacon_amount: 9n,
        }),
      ],
    })
    const snapshot = await latest()
    await build(snapshot)
    const { index } = await open(snapshot)
    expect(index.sums(snapshot.table(iotRewardShares), keyText(long), whole, columns)).toEqual({
      beacon_amount: 9n,
      witness_amount: 0n,
    })
  })

  it('leaves out rows of other variants and shows each row with its source', async () => {
    await lake.add({
      'mobile/mobile_reward_share.1.gz': [
        mobileReward('2025-01-05', 1, { dc_transfer_reward: 5n }),
        mobileReward('2025-01-05', 1, { dc_transfer_reward: 5n }),
        mobileShare({
          ...dayBefore('2025-01-05'),
          reward_type: 'service_provider_reward',
          service_provider_id: 'helium_mobile',
          amount: 77n,
        }),
      ],
    })
    const snapshot = await latest()
    await build(snapshot)
    const { index } = await open(snapshot)
    const seen: (readonly [string, bigint])[] = []
    const found = index.sums(
      snapshot.table(mobileRewardShares),
      hotspot(1).text,
      whole,
      ['dc_transfer_reward', 'amount'],
      (source, amountOf) => seen.push([source, amountOf('dc_transfer_reward')]),
    )
    expect(found).toEqual({ dc_transfer_reward: 10n, amount: 0n })
    expect(seen).toEqual([
      ['mobile_reward_share.1.gz', 5n],
      ['mobile_reward_share.1.gz', 5n],
    ])
  })
})

describe('for a table with other columns the index', () => {
  const { dc_transfer_amount: _, ...columns } = iotRewardShares.columns
  const less: Resource = { ...iotRewardShares, columns, earned: ['beacon_amount', 'witness_amount'] }

  /** What files of the index answer for, that were built with one resource and are asked for another. */
  async function coverOfOther(built: Resource, asked: Resource, lacks: readonly string[]) {
    await build(new Snapshot([await readNewestTable(lake.folder, built)]))
    const { version, committedAt, digest, files: own } = (await latest()).table(iotRewardShares)
    const reached = { version, committedAt, entryDigest: digest }
    const table = new TableSnapshot(
      asked,
      reached,
      own.map((file) => ({ ...file, lacks })),
    )
    const opened = files().flatMap((path) => openKeyFile(path, asked, new BlockCache(0)))
    onTestFinished(() => {
      for (const file of opened) file.close()
    })
    return isExact(findCover(table, opened))
  }
  const more: Resource = { ...iotRewardShares, earned: less.earned ?? [] }

  it.each([
    ['answers, where a column was added that all rows lack', less, more, ['dc_transfer_amount'], true],
    ['answers for nothing, where rows may have a column that it has not', less, more, [], false],
    ['answers for nothing, where it has a column that is gone', more, less, [], false],
    [
      'answers for nothing, where other columns are summed',
      less,
      iotRewardShares,
      ['dc_transfer_amount'],
      false,
    ],
  ])('%s', async (_title, built, asked, lacks, expected) => {
    expect(await coverOfOther(built, asked, lacks)).toBe(expected)
  })
})

describe('the rows of a hotspot', () => {
  const listOf = (rewards: readonly Reward[], number: number, { from, to }: GroupRange) =>
    rewards
      .filter((reward) => reward.hotspot === number && reward.end >= from && reward.end <= to)
      .map(({ end, beacon_amount, witness_amount }) => [end, beacon_amount, witness_amount])
  const rowsOf = (index: KeyIndex, at: Snapshot, number: number, range: GroupRange) => {
    const found = index.rows(at.table(iotRewardShares), hotspot(number).text, range)
    const rows = found?.read(0, found.total)
    return rows?.map((row) => [row.end_period, row.beacon_amount, row.witness_amount])
  }

  it('have the order of the list over every range, including rows without an amount', async () => {
    const snapshot = await latest()
    await build(snapshot)
    const { index } = await open(snapshot)
    for (const range of ranges) {
      for (let number = 0; number < 41; number += 1) {
        expect(rowsOf(index, snapshot, number, range)).toEqual(listOf(all, number, range))
      }
    }
    // Some of one year and some of the next.
    const found = index.rows(snapshot.table(iotRewardShares), hotspot(7).text, whole)
    const rows = found?.read(0, found.total) ?? []
    for (let end = 0; end <= rows.length; end += 1)
      expect([...(found?.read(0, end) ?? []), ...(found?.read(end, rows.length) ?? [])]).toEqual(rows)
    expect(all.filter((reward) => reward.beacon_amount + reward.witness_amount === 0n)).not.toEqual([])
  })

  it('stay in order when an earlier day is ingested later', async () => {
    await build(await latest())
    const more = rewardsOf('2025-01-15', 'late')
    await lake.add({ 'iot/iot_reward_share.7.gz': messages('2025-01-15', more) })
    const after = await latest()
    expect(await build(after)).toEqual(['iot_reward_shares'])
    const { index } = await open(after)
    const sorted = [...all.slice(0, 180), ...more, ...all.slice(180)]
    for (let number = 0; number < 40; number += 1) {
      expect(rowsOf(index, after, number, whole)).toEqual(listOf(sorted, number, whole))
    }
  })

  it('are never wrong when any byte of their block is changed; the file is removed', async () => {
    const snapshot = await latest()
    await build(snapshot)
    const path = files()[0] ?? ''
    const bytes = readFileSync(path)
    for (let place = 8; place < 2000; place += scaled(397, 17)) {
      const damaged = Buffer.from(bytes)
      damaged[place] = (damaged[place] ?? 0) ^ 16
      writeFileSync(path, damaged)
      const index = openKeyIndex(state, openTestWriter, 1)
      await index.load(snapshot)
      for (let number = 0; number < 40; number += 1) {
        const found = rowsOf(index, snapshot, number, whole)
        if (found !== undefined) expect(found).toEqual(listOf(all, number, whole))
      }
      expect(index.lacks(snapshot)).toBe(true)
      expect(existsSync(path)).toBe(false)
      index.close()
    }
  })
})

it('a folder that cannot be written is named', async () => {
  const file = join(state, 'file')
  writeFileSync(file, '')
  const index = openKeyIndex(join(file, 'state'), openTestWriter, 1)
  await expect(index.build(await latest())).rejects.toThrow(
    `${join(file, 'state/by-key/building')} cannot be written (ENOTDIR)`,
  )
})

describe('a damaged index by key', () => {
  it('is dropped when it is read, and rebuilt', async () => {
    const snapshot = await latest()
    await build(snapshot)
    const [path = ''] = files()
    const bytes = readFileSync(path)
    bytes[100] = (bytes[100] ?? 0) ^ 1
    writeFileSync(path, bytes)
    const { index, lacking } = await open(snapshot)
    expect(lacking).toBe(0)
    const found = Array.from({ length: 41 }, (_, number) => sums(index, snapshot, number, whole))
    expect(found.filter((sum) => sum === undefined)).not.toEqual([])
    expect([index.lacks(snapshot), existsSync(path)]).toEqual([true, false])
    expect(await build(snapshot)).toEqual(['iot_reward_shares'])
    await index.load(snapshot)
    for (let number = 0; number < 41; number += 1)
      expect(sums(index, snapshot, number, whole)).toEqual(plainSums(all, number, whole))
  })

  it('is built right from lists that are damaged at any byte, or missing', async () => {
    const snapshot = await latest()
    await deriveBlocks(lake.folder, state)
    const folder = join(state, 'index', iotRewardShares.name)
    const lists = readdirSync(folder).map((name) => join(folder, name))
    const sound = lists.map((path) => readFileSync(path))
    const random = openRandom(deriveSeed('damaged lists'))
    let removed = 0
    for (let round = 0; round < scaled(3, 200); round += 1) {
      for (const [number, path] of lists.entries()) {
        const bytes = Buffer.from(sound[number] as Buffer)
        const place = random.below(bytes.length)
        bytes.writeUInt8(bytes.readUInt8(place) ^ (1 << random.below(8)), place)
        if (random.chance(0.1)) rmSync(path, { force: true })
        else writeFileSync(path, random.chance(0.3) ? (sound[number] as Buffer) : bytes)
      }
      rmSync(join(state, 'by-key'), { recursive: true, force: true })
      await build(snapshot)
      removed += lists.filter((path) => !existsSync(path)).length
      const { index } = await open(snapshot)
      for (const range of ranges.slice(0, 2))
        for (let number = 0; number < 40; number += 7)
          expect(sums(index, snapshot, number, range)).toEqual(plainSums(all, number, range))
    }
    expect(removed).toBeGreaterThan(5)
  })

  it('is rebuilt when another release wrote it', async () => {
    const snapshot = await latest()
    await build(snapshot)
    for (const path of files()) {
      const bytes = readFileSync(path)
      bytes.write('LLKEYS00')
      writeFileSync(path, bytes)
    }
    expect((await open(snapshot)).lacking).toBe(1)
    expect(await build(snapshot)).toHaveLength(1)
    expect((await open(snapshot)).lacking).toBe(0)
  })

  it.each([
    ['cut off', (path: string) => truncateSync(path, 100)],
    ['empty', (path: string) => truncateSync(path, 0)],
    ['of other contents', (path: string) => writeFileSync(path, 'x'.repeat(5000))],
  ])('is rebuilt: %s', async (_, harm) => {
    const snapshot = await latest()
    await build(snapshot)
    for (const path of files()) harm(path)
    const { index, lacking } = await open(snapshot)
    expect(lacking).toBe(1)
    expect(sums(index, snapshot, 7, whole)).toBeUndefined()
    expect(await build(snapshot)).toHaveLength(1)
    const mended = await open(snapshot)
    expect(sums(mended.index, snapshot, 7, whole)).toEqual(plainSums(all, 7, whole))
  })

  it('never gives a wrong sum when any byte is changed', async () => {
    const snapshot = await latest()
    await build(snapshot)
    const path = files()[0] ?? ''
    const bytes = readFileSync(path)
    const random = openRandom(deriveSeed('flips'))
    let noticed = 0
    for (let round = 0; round < scaled(20, 1000); round += 1) {
      const damaged = Buffer.from(bytes)
      const place = random.below(bytes.length)
      damaged[place] = (damaged[place] ?? 0) ^ (1 << random.below(8))
      writeFileSync(path, damaged)
      const index = openKeyIndex(state, openTestWriter, 1)
      await index.load(snapshot)
      for (let number = 0; number < 40; number += 1) {
        const found = sums(index, snapshot, number, whole)
        if (found === undefined) noticed += 1
        else expect(found).toEqual(plainSums(all, number, whole))
      }
      index.close()
    }
    expect(noticed).toBeGreaterThan(scaled(20, 1000))
  })
})
