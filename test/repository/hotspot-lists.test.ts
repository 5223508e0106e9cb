import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { mobileRewardShares } from '../../src/catalog/l2/mobile-reward-shares.ts'
import { openDuckdbEngine } from '../../src/engine/duckdb/duckdb-engine.ts'
import { Lake } from '../../src/lake/lake.ts'
import type { Snapshot } from '../../src/lake/snapshot.ts'
import { buildOrders } from '../../src/orders/build-orders.ts'
import { openOrders } from '../../src/orders/orders.ts'
import type { Predicate } from '../../src/query/plan.ts'
import { openPages } from '../../src/repository/pages.ts'
import { deriveSeed, openRandom } from '../../src/sample/random.ts'
import { at, dayBefore, hotspot, type MadeLake, makeLake, mobileShare } from '../support/make-lake.ts'
import { openWriter } from '../support/store-made-up.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** The list of one hotspot is the same from the files of the table, from its monthly copies, and from some of each. */

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

beforeAll(async () => {
  lake = await makeLake(filesOf(dates.slice(0, 3)))
  const known = Object.keys(filesOf(dates.slice(0, 3)))
  const rest = Object.entries(filesOf(dates)).filter(([name]) => !known.includes(name))
  for (const [name, messages] of rest) await lake.add({ [name]: messages })
  snapshot = await new Lake(lake.folder).latest()
})
afterAll(() => lake.remove())

async function open(months: readonly string[]) {
  const stateFolder = await temporaryFolder()
  const table = snapshot.table(mobileRewardShares)
  const parts = table.parts.filter(({ files }) => months.includes(files[0]?.partition ?? ''))
  await buildOrders(parts, { stateFolder, openWriter })
  const limits = { memoryMb: 256, threads: 2, connections: 2 }
  const spillFolder = join(stateFolder, 'spill')
  const engine = await openDuckdbEngine({ folders: [lake.folder, stateFolder], spillFolder, ...limits })
  onTestFinished(() => engine.close())
  const orders = openOrders(stateFolder, 1)
  const missing = await orders.load(snapshot)
  return { engine, pages: openPages(engine, orders), missing: missing.length, stateFolder }
}

const where = (
  number: number,
  { from = '2000-01-01', to = '2100-01-01', type }: { from?: string; to?: string; type?: string } = {},
): readonly Predicate[] => [
  { column: 'end_period', match: 'atLeast', value: at(`${from}T00:00:00Z`) },
  { column: 'end_period', match: 'atMost', value: at(`${to}T00:00:00Z`) },
  { column: 'hotspot_key', match: 'equals', value: hotspot(number).text },
  ...(type === undefined ? [] : [{ column: 'reward_type', match: 'equals', value: type } as const]),
]

const months = ['2025-01', '2025-02', '2025-03']

describe.each([
  ['without copies', []],
  ['with copies of every month', months],
  ['with copies of the closed months', months.slice(0, 2)],
  ['with a copy of one month in between', ['2025-02']],
])('the list of one hotspot %s', (_, copied) => {
  it('has every share once, in order, on pages of any size', async () => {
    const { pages, missing } = await open(copied)
    expect(missing).toBe(months.length - copied.length)
    const asked = [
      {},
      { from: '2025-01-31', to: '2025-03-01' },
      { from: '2025-02-01', to: '2025-02-28' },
      { from: '2025-02-02', to: '2025-02-03' },
      { type: 'radio_reward' },
      { type: 'gateway_reward', from: '2025-02-28' },
      { type: 'nobody' },
    ]
    for (let number = 0; number <= hotspots; number += 3) {
      for (const one of asked) {
        const { from = '', to = '9', type } = one
        const wanted = listOf(
          (share) =>
            share.hotspot === number &&
            share.date >= from &&
            share.date <= to &&
            (type === undefined || share.reward_type === type),
        )
        for (const limit of [1000, 7]) {
          const columns = ['dc_transfer_reward']
          const found: unknown[] = []
          for (let offset = 0; offset <= wanted.length; offset += limit) {
            const plan = { resource: mobileRewardShares, where: where(number, one), columns, limit, offset }
            const { total, rows } = await pages.read(plan, snapshot)
            expect(total).toBe(wanted.length)
            found.push(...rows.map((row) => row.dc_transfer_reward))
          }
          expect(found).toEqual(wanted)
        }
      }
    }
  })
})

it('a page of one hotspot reads a copy for each month that it lies in, and no file of the table', async () => {
  const { engine, pages, stateFolder } = await open(months)
  const before = engine.work()
  const plan = { resource: mobileRewardShares, where: where(3), columns: ['ordinal'], limit: 5, offset: 0 }
  await pages.read(plan, snapshot)
  const after = engine.work()
  expect(after.statements - before.statements).toBe(2)
  expect(after.files - before.files).toBeLessThanOrEqual(4)
  expect(readdirSync(join(stateFolder, 'orders', 'mobile_reward_shares')).sort()).toEqual(months)
})

it('a commit into the newest month leaves the copies of the others in use', async () => {
  const { stateFolder } = await open(months)
  await lake.add({
    'mobile/mobile_network_reward_shares_v1.9000.gz': [
      mobileShare({ ...dayBefore('2025-03-20'), reward_type: 'gateway_reward', hotspot_key: hotspot(1).raw }),
    ],
  })
  const after = await new Lake(lake.folder).latest()
  const orders = openOrders(stateFolder, 1)
  expect((await orders.load(after)).map(({ files }) => files[0]?.partition)).toEqual(['2025-03'])
})
