import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { mobileRewardShares } from '../../src/catalog/l2/mobile-reward-shares.ts'
import type { Row } from '../../src/catalog/resource.ts'
import { Lake } from '../../src/lake/lake.ts'
import type { Snapshot } from '../../src/lake/snapshot.ts'
import type { ConnectionRequest } from '../../src/query/connection.ts'
import { positionOf } from '../../src/query/cursor.ts'
import type { Position } from '../../src/query/plan.ts'
import { deriveSeed, openRandom } from '../../src/sample/random.ts'
import { openServices } from '../../src/services.ts'
import { readSettings } from '../../src/settings.ts'
import { buildIndex } from '../support/build-index.ts'
import { at, dayBefore, hotspot, type MadeLake, makeLake, mobileShare } from '../support/make-lake.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { scaled } from '../support/tier.ts'

/** The list of one hotspot is the same from the files of the table, from the hotspot index, and from some of each. */

interface Share {
  readonly date: string
  readonly reward_type: 'gateway_reward' | 'radio_reward'
  readonly hotspot: number
  readonly dc_transfer_reward: bigint
  readonly source: string
  readonly ordinal: number
}

const hotspots = 12
const dates = [
  '2025-01-05',
  '2025-01-31',
  '2025-02-01',
  '2025-02-28',
  '2025-03-01',
  '2025-03-02',
  '2025-03-15',
]
const random = openRandom(deriveSeed('hotspot lists'))

/** Two files a day, the second of them with days before it too; some hotspots several times. */
const shares: readonly Share[] = dates.flatMap((date, day) =>
  [0, 1].flatMap((half) => {
    const source = `mobile_network_reward_shares_v1.${1000 + day * 2 + half}.gz`
    return Array.from(
      { length: 70 },
      (_, ordinal): Share => ({
        ...{ source, ordinal, hotspot: random.below(hotspots) },
        date: half === 1 && ordinal % 7 === 0 ? (dates[Math.max(0, day - 1)] ?? date) : date,
        reward_type: random.below(3) === 0 ? 'radio_reward' : 'gateway_reward',
        dc_transfer_reward: BigInt(day * 1_000_000 + half * 1000 + ordinal),
      }),
    )
  }),
)

const filesOf = (days: readonly string[]) => {
  const names = new Set(shares.filter(({ date }) => days.includes(date)).map(({ source }) => source))
  return Object.fromEntries(
    [...names].map((name) => [
      `mobile/${name}`,
      shares
        .filter(({ source }) => source === name)
        .map((share) =>
          mobileShare({
            ...dayBefore(share.date),
            reward_type: share.reward_type,
            hotspot_key: hotspot(share.hotspot).raw,
            ...(share.reward_type === 'radio_reward' && { cbsd_id: 'x' }),
            dc_transfer_reward: share.dc_transfer_reward,
          }),
        ),
    ]),
  )
}

const compare = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))

/** The order of the list, by hand. */
const listOf = (matches: (share: Share) => boolean) =>
  shares
    .filter(matches)
    .sort(
      (a, b) =>
        compare(a.date, b.date) ||
        compare(a.reward_type, b.reward_type) ||
        compare(a.source, b.source) ||
        a.ordinal - b.ordinal,
    )
    .map(({ dc_transfer_reward }) => dc_transfer_reward)

let lake: MadeLake
let snapshot: Snapshot
/** The version before the last file came. */
let earlier: Snapshot

beforeAll(async () => {
  lake = await makeLake(filesOf(dates.slice(0, 3)))
  const known = Object.keys(filesOf(dates.slice(0, 3)))
  const rest = Object.entries(filesOf(dates)).filter(([name]) => !known.includes(name))
  for (const [name, messages] of rest) {
    earlier = await new Lake(lake.folder).latest()
    await lake.add({ [name]: messages })
  }
  snapshot = await new Lake(lake.folder).latest()
})
afterAll(() => lake.remove())

async function open(indexed: readonly Snapshot[]) {
  const stateFolder = await temporaryFolder()
  for (const version of indexed) await buildIndex(lake.folder, stateFolder, version)
  const settings = readSettings({}, { lake: lake.folder, state: stateFolder })
  const { engine, index, repository, close } = await openServices(settings, { worthwhileRows: 1 })
  onTestFinished(close)
  const missing = await index.load(snapshot)
  return { engine, repository, index, missing: missing.length }
}

interface Range {
  readonly from?: string
  readonly to?: string
  readonly type?: string
}

const filters = (number: number, { from = '2000-01-01', to = '2100-01-01', type }: Range = {}) => ({
  from: at(`${from}T00:00:00Z`),
  to: at(`${to}T00:00:00Z`),
  hotspot_key: hotspot(number).text,
  ...(type !== undefined && { reward_type: type }),
})

const ranges: readonly Range[] = [
  {},
  { from: '2025-01-31', to: '2025-03-01' },
  { from: '2025-02-01', to: '2025-02-28' },
  { from: '2025-02-02', to: '2025-02-03' },
  { type: 'radio_reward' },
  { type: 'gateway_reward', from: '2025-02-28' },
  { type: 'nobody' },
]

const wantedOf = (number: number, { from = '', to = '9', type }: Range) =>
  listOf(
    (share) =>
      share.hotspot === number &&
      share.date >= from &&
      share.date <= to &&
      (type === undefined || share.reward_type === type),
  )

const rewardOf = (record: unknown) =>
  (record as { reward_detail: { dc_transfer_reward: bigint } }).reward_detail.dc_transfer_reward

describe.each([
  ['without an index', () => [], 1],
  ['with an index', () => [snapshot], 0],
  ['with an index that took in the last file', () => [earlier, snapshot], 0],
  ['with an index that lacks the last file', () => [earlier], 1],
])('the list of one hotspot %s', (_, indexed, lacking) => {
  it('has every share once, in order, on pages of any size', async () => {
    const { repository, missing } = await open(indexed())
    expect(missing).toBe(lacking)
    for (let number = 0; number <= hotspots; number += scaled(16, 3)) {
      for (const range of ranges) {
        const wanted = wantedOf(number, range)
        for (const perPage of [100, 7]) {
          const found: unknown[] = []
          for (let page = 1; (page - 1) * perPage <= wanted.length; page += 1) {
            const request = { page, perPage }
            const { total, records } = await repository.list(
              mobileRewardShares,
              filters(number, range),
              request,
              snapshot,
            )
            expect(total).toBe(wanted.length)
            found.push(...records.map(rewardOf))
          }
          expect(found).toEqual(wanted)
        }
      }
    }
  })

  it('has the same stretch between any two cursors, also those of other hotspots', async () => {
    const { repository } = await open(indexed())
    const ask = async (number: number, range: Range, request: Partial<ConnectionRequest>) => {
      const columns = [...mobileRewardShares.order.map(({ column }) => column), 'dc_transfer_reward']
      const whole = { first: undefined, last: undefined, after: undefined, before: undefined, ...request }
      const own = filters(number, range)
      const needs = { columns, manifests: false }
      const found = await repository.connection(mobileRewardShares, own, whole, needs, snapshot)
      const rows = found.nodes.map(({ row }) => row)
      return {
        rows,
        rewards: rows.map((row) => row.dc_transfer_reward),
        around: [await found.hasPreviousPage(), await found.hasNextPage()],
      }
    }
    const own = (await ask(3, {}, { first: 100 })).rows
    const other = (await ask(4, {}, { first: 100 })).rows
    const wanted = wantedOf(3, {})
    expect(own.map((row) => row.dc_transfer_reward)).toEqual(wanted)
    const place = (rows: readonly Row[], number: number) =>
      positionOf(mobileRewardShares, rows[number] as Row)
    expect(await ask(3, {}, { first: 4, after: place(own, 4) })).toMatchObject({
      rewards: wanted.slice(5, 9),
      around: [true, true],
    })
    expect(await ask(3, {}, { last: 4, before: place(own, 6) })).toMatchObject({
      rewards: wanted.slice(2, 6),
      around: [true, true],
    })
    expect(await ask(3, {}, { first: 100, after: place(own, wanted.length - 2) })).toMatchObject({
      rewards: wanted.slice(-1),
      around: [true, false],
    })
    for (const number of [0, 7, other.length - 1]) {
      const foreign = place(other, number)
      const after = await ask(3, {}, { first: 100, after: foreign })
      const before = await ask(3, {}, { first: 100, before: foreign })
      expect([...before.rewards, ...after.rewards]).toEqual(wanted)
      const isBefore = (row: Row) => comparePlaces(positionOf(mobileRewardShares, row), foreign) < 0
      expect(before.rewards).toEqual(own.filter(isBefore).map((row) => row.dc_transfer_reward))
    }
  })
})

/** By the values of the order, one after the other. */
function comparePlaces(a: Position, b: Position): number {
  for (const [step, value] of a.entries()) {
    const other = b[step]
    if (value === other) continue
    if (typeof value === 'bigint') return value < (other as bigint) ? -1 : 1
    return compare(String(value), String(other))
  }
  return 0
}

it('the page of one hotspot from the index has whole rows, and no statement is run for it', async () => {
  const { repository, engine, index } = await open([snapshot])
  const table = snapshot.table(mobileRewardShares)
  const columns = Object.keys(mobileRewardShares.columns)
  for (let number = 0; number < hotspots; number += 1) {
    const { hotspot_key: value } = filters(number)
    const where = [{ column: 'hotspot_key', match: 'equals', value }] as const
    const limits = { limit: 1000, offset: 0 }
    const rows = await engine.rows({ resource: mobileRewardShares, where, columns, ...limits }, snapshot)
    const found = index.rows(table, value, { from: -(2n ** 63n), to: 2n ** 63n - 1n })
    expect(found?.total).toBe(rows.length)
    expect(found?.read(0, rows.length)).toEqual(rows)
  }
  const list = () => repository.list(mobileRewardShares, filters(3), { page: 1, perPage: 5 }, snapshot)
  // The first list of a snapshot reads its manifests.
  await list()
  const before = engine.work()
  await list()
  expect(engine.work()).toEqual(before)
})
