import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { iotRewardShares } from '../../../src/catalog/l2/iot-reward-shares.ts'
import { mobileRewardShares } from '../../../src/catalog/l2/mobile-reward-shares.ts'
import type { GroupRange } from '../../../src/catalog/query/group-range.ts'
import type { Resource } from '../../../src/catalog/resource.ts'
import { BlockCache } from '../../../src/index/blocks/block-cache.ts'
import { openParts } from '../../../src/index/blocks/container.ts'
import { KEYS_MAGIC, type KeyFileContents } from '../../../src/index/keyed/key-file-contents.ts'
import { type KeyIndex, openKeyIndex } from '../../../src/index/keyed/key-index.ts'
import { LoadedKeys } from '../../../src/index/keyed/loaded-keys.ts'
import { Lake } from '../../../src/lake/snapshot/lake.ts'
import { readNewestTable, Snapshot } from '../../../src/lake/snapshot/snapshot.ts'
import { deriveSeed, openRandom } from '../../../src/write/sample/random.ts'
import { ingestInto } from '../../support/lakes/build-lake.ts'
import {
  at,
  hotspot,
  iotReward,
  type MadeLake,
  makeLake,
  mobileReward,
  writeOracleFiles,
} from '../../support/lakes/make-lake.ts'
import { pick } from '../../support/network/draw.ts'
import { openTestWriter } from '../../support/open-test-writer.ts'
import { some } from '../../support/some.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { scaled } from '../../support/tier.ts'

/** What one share pays a hotspot. */
interface Pay {
  readonly table: Resource
  readonly date: string
  readonly type: string
  readonly number: number
  readonly amount: bigint
}

const amounts = [
  0n,
  1n,
  7n,
  254n,
  255n,
  65_535n,
  2n ** 32n,
  2n ** 40n - 2n,
  2n ** 40n,
  2n ** 63n,
  2n ** 64n - 1n,
]
const mobileTypes = ['radio_reward', 'gateway_reward'] as const
/** An epoch that ends at midnight of the first is the pay of the month before. */
const dates = [
  '2024-12-31',
  '2025-01-01',
  '2025-01-02',
  '2025-01-31',
  '2025-02-01',
  '2025-02-02',
  '2025-02-28',
]
const later = '2025-03-01'

/** Shares of a day: hotspots twice, hotspots that get nothing, some without a share; many get the same. */
function draw(table: Resource, date: string, seed: string): readonly Pay[] {
  const random = openRandom(deriveSeed(seed, date, table.name))
  return Array.from({ length: 60 }, () => ({
    ...{ table, date, number: random.below(30), amount: pick(amounts, random) },
    type: table === iotRewardShares ? 'gateway_reward' : pick(mobileTypes, random),
  }))
}

const messageOf = ({ table, date, type, number, amount }: Pay) =>
  table === iotRewardShares
    ? iotReward(date, number, { witness_amount: amount })
    : type === 'radio_reward'
      ? mobileReward(date, number, { reward_type: type, poc_reward: amount })
      : mobileReward(date, number, { dc_transfer_reward: amount })

/** One file a day and table; its number is that of the day. */
const filesOf = (pay: readonly Pay[], date: string, name: string) => ({
  [`iot/iot_reward_share.${name}.gz`]: pay
    .filter((one) => one.table === iotRewardShares && one.date === date)
    .map(messageOf),
  [`mobile/mobile_reward_share.${name}.gz`]: pay
    .filter((one) => one.table === mobileRewardShares && one.date === date)
    .map(messageOf),
})

const all = dates.flatMap((date) => [
  ...draw(iotRewardShares, date, 'a'),
  ...draw(mobileRewardShares, date, 'a'),
])

/** Tokens change in the middle of January. */
const tokenOf = (source: string) => (Number(/\.(\d+)\.gz$/.exec(source)?.[1]) <= 3 ? 'old' : 'new')
const tokenOn = (date: string) => (date <= '2025-01-02' ? 'old' : 'new')

/** The greatest by a plain loop over what was written. */
function plain(pay: readonly Pay[], table: Resource, { from, to, type }: GroupRange, limit = 1000) {
  const sums = new Map<string, bigint>()
  for (const one of pay) {
    const end = at(`${one.date}T00:00:00Z`)
    if (one.table !== table || end < from || end > to || (type !== undefined && one.type !== type)) continue
    const name = `${tokenOn(one.date)} ${hotspot(one.number).text}`
    sums.set(name, (sums.get(name) ?? 0n) + one.amount)
  }
  const sorted = [...sums].sort(([a, x], [b, y]) => (x === y ? (a < b ? -1 : 1) : x > y ? -1 : 1))
  return ['new', 'old'].flatMap((token) =>
    sorted
      .filter(([name]) => name.startsWith(token))
      .slice(0, limit)
      .map(([name, sum]) => `${name} ${sum}`),
  )
}

async function found(
  sums: KeyIndex,
  snapshot: Snapshot,
  table: Resource,
  range: GroupRange,
  limit: number | undefined = 1000,
  tokens = tokenOf,
): Promise<readonly string[] | undefined> {
  const parts = await sums.earned(snapshot.table(table), range, tokens, limit)
  const rows = parts?.map(({ token, key, earned }) => ({
    token: token ?? '',
    text: `${token} ${key} ${earned}`,
  }))
  return rows?.sort((a, b) => (a.token < b.token ? -1 : a.token > b.token ? 1 : 0)).map(({ text }) => text)
}

const whole: GroupRange = { from: -(2n ** 63n), to: 2n ** 63n - 1n }
const day = (date: string) => at(`${date}T00:00:00Z`)

let lake: MadeLake
let shared: MadeLake
let state: string

const made = () =>
  makeLake(Object.assign({}, ...dates.map((date, index) => filesOf(all, date, `${index + 1}`))))
const latest = () => new Lake(lake.folder).latest()

async function open(snapshot: Snapshot): Promise<{ sums: KeyIndex; lacking: number }> {
  const sums = openKeyIndex(state, openTestWriter, 1)
  onTestFinished(() => sums.close())
  return { sums, lacking: (await sums.load(snapshot)).length }
}

/** Builds what is missing; gives what it built. */
async function build(snapshot: Snapshot): Promise<readonly string[]> {
  const built: string[] = []
  const sums = openKeyIndex(state, openTestWriter, 1)
  await sums.build(snapshot, {
    onProgress: (sentence) =>
      built.push(sentence.replace(/^gathering the hotspots of (\w+)_reward_shares$/, '$1')),
  })
  sums.close()
  return built
}

const files = (table: Resource) =>
  readdirSync(join(state, 'by-key', table.name)).map((name) => join(state, 'by-key', table.name, name))

beforeAll(async () => {
  shared = await made()
})

beforeEach(async () => {
  lake = shared
  state = await temporaryFolder()
})

describe('the hotspots that earned most', () => {
  it('equal plain sums for each token, over random ranges, types and limits, beyond 64 bits', async () => {
    const snapshot = await latest()
    expect(await build(snapshot)).toEqual(['iot', 'mobile'])
    const { sums, lacking } = await open(snapshot)
    expect([lacking, sums.lacks(snapshot)]).toEqual([0, false])
    const random = openRandom(deriveSeed('greatest'))
    let rows = 0
    for (let round = 0; round < scaled(30, 1000); round += 1) {
      const table = pick([iotRewardShares, mobileRewardShares], random)
      const types = [undefined, ...mobileTypes, 'service_provider_reward']
      const type = table === mobileRewardShares ? pick(types, random) : undefined
      const [a, b] = [pick(dates, random), pick(dates, random)].sort()
      const bounds = random.chance(0.1)
        ? whole
        : { from: day(a ?? ''), to: day(b ?? '') + BigInt(random.below(2)) }
      const range = { ...bounds, ...(type !== undefined && { type }) }
      const limit = 1 + random.below(35)
      const expected = plain(all, table, range, limit)
      expect(await found(sums, snapshot, table, range, limit), JSON.stringify({ a, b, type, limit })).toEqual(
        expected,
      )
      rows += expected.length
    }
    expect(rows).toBeGreaterThan(scaled(500, 1000))
    // Equal sums stand on both sides of a limit.
    const ties = plain(all, iotRewardShares, { from: day('2025-02-28'), to: day('2025-02-28') }).map((row) =>
      row.slice(row.lastIndexOf(' ')),
    )
    expect(new Set(ties).size).toBeLessThan(ties.length)
  })

  it('are all hotspots without a limit, including those that earned 0', async () => {
    const snapshot = await latest()
    await build(snapshot)
    const { sums } = await open(snapshot)
    const range = { from: day('2025-02-02'), to: day('2025-02-02') }
    const parts = await sums.earned(snapshot.table(iotRewardShares), range, tokenOf, undefined)
    const expected = plain(all, iotRewardShares, range)
    expect(parts?.map(({ token, key, earned }) => `${token} ${key} ${earned}`).sort()).toEqual(
      [...expected].sort(),
    )
    expect(expected.filter((row) => row.endsWith(' 0'))).not.toEqual([])
  })

  it('are undefined if the rows of one epoch have two tokens', async () => {
    const both = await makeLake({
      ...filesOf(all, '2025-01-01', '1'),
      'iot/iot_reward_share.9.gz': [iotReward('2025-01-01', 1, { witness_amount: 5n })],
      ...filesOf(all, '2025-01-02', '2'),
    })
    lake = both
    const snapshot = await latest()
    await build(snapshot)
    const { sums } = await open(snapshot)
    expect(await found(sums, snapshot, iotRewardShares, whole)).toBeUndefined()
    const range = { from: day('2025-01-02'), to: day('2025-01-02') }
    expect(await found(sums, snapshot, iotRewardShares, range)).toEqual(plain(all, iotRewardShares, range))
  })
})

describe('sums of another version of the table', () => {
  const added = [...draw(iotRewardShares, later, 'b'), ...draw(mobileRewardShares, later, 'b')]

  beforeEach(async () => {
    lake = await made()
  })

  it('answer for unchanged epochs, and are extended by new ones', async () => {
    const before = await latest()
    await build(before)
    await lake.add(filesOf(added, later, '8'))
    const after = await latest()
    const { sums, lacking } = await open(after)
    expect([lacking, sums.lacks(after), sums.lacks(before)]).toEqual([2, true, false])
    expect(await found(sums, after, iotRewardShares, whole)).toBeUndefined()
    const untouched = { from: day('2025-02-01'), to: day('2025-02-28') }
    expect(await found(sums, after, iotRewardShares, untouched)).toEqual(
      plain(all, iotRewardShares, untouched),
    )
    expect(await build(after)).toEqual(['iot', 'mobile'])
    expect(await build(after)).toEqual([])
    expect(files(iotRewardShares)).toHaveLength(2)
    expect(await sums.load(after)).toEqual([])
    for (const table of [iotRewardShares, mobileRewardShares]) {
      expect(await found(sums, after, table, whole)).toEqual(plain([...all, ...added], table, whole))
      expect(await found(sums, before, table, whole)).toEqual(plain(all, table, whole))
    }
  })

  it('do not answer for an epoch with a replaced file until it is summed again', async () => {
    await build(await latest())
    const instead = draw(iotRewardShares, '2025-01-31', 'instead')
    const input = await temporaryFolder()
    const { 'iot/iot_reward_share.4.gz': own = [] } = filesOf(instead, '2025-01-31', '4')
    await writeOracleFiles(input, { 'iot/iot_reward_share.4.gz': own })
    await ingestInto(lake.folder, [input], { replace: true })
    const after = await latest()
    const { sums } = await open(after)
    const range = { from: day('2025-01-31'), to: day('2025-01-31') }
    expect(await found(sums, after, iotRewardShares, range)).toBeUndefined()
    expect(await build(after)).toEqual(['iot'])
    await sums.load(after)
    const left = all.filter(({ table, date }) => table !== iotRewardShares || date !== '2025-01-31')
    expect(await found(sums, after, iotRewardShares, whole)).toEqual(
      plain([...left, ...instead], iotRewardShares, whole),
    )
  })
})

it('sums of an epoch leave out the old rows of a replaced file', async () => {
  const day1 = (number: number, name: string) => ({
    [`iot/iot_reward_share.${name}.gz`]: [
      iotReward('2025-01-02', number, { witness_amount: BigInt(name) }),
      iotReward('2025-01-02', 3, { witness_amount: 1n }),
    ],
  })
  lake = await makeLake({ ...day1(1, '1'), ...day1(2, '2') })
  await build(await latest())
  const input = await temporaryFolder()
  await writeOracleFiles(input, {
    'iot/iot_reward_share.2.gz': [iotReward('2025-01-02', 2, { witness_amount: 70n })],
  })
  await ingestInto(lake.folder, [input], { replace: true })
  const after = await latest()
  const { sums } = await open(after)
  expect(await found(sums, after, iotRewardShares, whole)).toBeUndefined()
  expect(await build(after)).toEqual(['iot'])
  expect(files(iotRewardShares)).toHaveLength(1)
  await sums.load(after)
  const expected = [
    [2, 70n],
    [1, 1n],
    [3, 1n],
  ] as const
  expect(await found(sums, after, iotRewardShares, whole)).toEqual(
    expected.map(([number, sum]) => `old ${hotspot(number).text} ${sum}`),
  )
})

it('sums of other columns do not answer, and are rebuilt', async () => {
  const less = { ...iotRewardShares, earned: ['beacon_amount'] as const }
  await build(new Snapshot([await readNewestTable(lake.folder, less)]))
  const snapshot = await latest()
  const { sums } = await open(snapshot)
  expect(await found(sums, snapshot, iotRewardShares, whole)).toBeUndefined()
  expect(await build(snapshot)).toEqual(['iot', 'mobile'])
  expect(await sums.load(snapshot)).toEqual([])
  expect(await found(sums, snapshot, iotRewardShares, whole)).toEqual(plain(all, iotRewardShares, whole))
})

describe('a damaged file of sums', () => {
  it('gives no wrong sum with any byte changed, and is removed and rebuilt', async () => {
    const snapshot = await latest()
    await build(snapshot)
    const path = files(iotRewardShares)[0] ?? ''
    const bytes = readFileSync(path)
    const range = { from: day('2025-02-02'), to: day('2025-02-28') }
    const right = plain(all, iotRewardShares, range)
    let [refused, answered] = [0, 0]
    for (let place = 0; place < bytes.length; place += scaled(523, 7)) {
      const damaged = Buffer.from(bytes)
      damaged[place] = (damaged[place] ?? 0) ^ 16
      writeFileSync(path, damaged)
      const sums = openKeyIndex(state, openTestWriter, 1)
      await sums.load(snapshot)
      const own = await found(sums, snapshot, iotRewardShares, range)
      if (own === undefined) {
        refused += 1
        expect(sums.lacks(snapshot)).toBe(true)
      } else {
        answered += 1
        expect(own).toEqual(right)
      }
      sums.close()
    }
    expect(Math.min(refused, answered)).toBeGreaterThan(0)
    writeFileSync(path, bytes.subarray(0, bytes.length - 1))
    expect(await build(snapshot)).toEqual(['iot'])
    expect(readFileSync(path)).toEqual(bytes)
  })

  it('is dropped when it is read, and no new file is derived from it', async () => {
    lake = await made()
    await build(await latest())
    const path = files(iotRewardShares)[0] ?? ''
    const bytes = readFileSync(path)
    const { planes }: KeyFileContents = JSON.parse(openParts(path, KEYS_MAGIC, ({ contents }) => contents))
    for (const { start, length } of planes) bytes.fill(255, start, start + length)
    writeFileSync(path, bytes)
    const more = draw(iotRewardShares, later, 'c')
    await lake.add(filesOf(more, later, '8'))
    const after = await latest()
    await build(after)
    const { sums } = await open(after)
    expect(await found(sums, after, iotRewardShares, whole)).toBeUndefined()
    expect([existsSync(path), sums.lacks(after)]).toEqual([false, true])
    await build(after)
    await sums.load(after)
    expect(await found(sums, after, iotRewardShares, whole)).toEqual(
      plain([...all, ...more], iotRewardShares, whole),
    )
  })
})

it('a read from a closed file returns undefined, and does not touch a new file of that name', async () => {
  const snapshot = await latest()
  await build(snapshot)
  const table = snapshot.table(iotRewardShares)
  const loaded = new LoadedKeys(state, new BlockCache(0))
  onTestFinished(() => loaded.close())
  await loaded.loadTables([table])
  const [closed] = some(loaded.filesOf(table))
  loaded.forget(closed.path)
  expect(existsSync(closed.path)).toBe(false)
  await build(snapshot)
  await loaded.loadTables([table])
  expect(loaded.attempt(() => closed.blocks.bytesOf(0))).toBeUndefined()
  expect([existsSync(closed.path), loaded.isComplete(table)]).toEqual([true, true])
})

it('a folder that cannot be written is named', async () => {
  const file = join(state, 'file')
  writeFileSync(file, '')
  const sums = openKeyIndex(join(file, 'state'), openTestWriter, 1)
  await expect(sums.build(await latest())).rejects.toThrow(
    `${join(file, 'state/by-key/building')} cannot be written (ENOTDIR)`,
  )
})
