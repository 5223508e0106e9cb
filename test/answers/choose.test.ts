import { describe, expect, it } from 'vitest'
import { choose, type Verb } from '../../src/answers/rows/choose.ts'
import { IndexSearch } from '../../src/answers/rows/index-search.ts'
import { openPages } from '../../src/answers/rows/pages.ts'
import { l1Rewards } from '../../src/catalog/l1/rewards.ts'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import { makers } from '../../src/catalog/l2/makers.ts'
import { mobileRewardShares } from '../../src/catalog/l2/mobile-reward-shares.ts'
import type { Predicate, RowsPlan } from '../../src/catalog/query/plan.ts'
import { toRowsPlan } from '../../src/catalog/query/to-plan.ts'
import type { Resource } from '../../src/catalog/resource.ts'
import type { Engine } from '../../src/engine/engine.ts'
import { type KeyIndex, openKeyIndex } from '../../src/index/keyed/key-index.ts'
import type { RowBlocks } from '../../src/index/row-blocks.ts'
import { Lake } from '../../src/lake/snapshot/lake.ts'
import { Snapshot } from '../../src/lake/snapshot/snapshot.ts'
import { openMemoryEngine } from '../support/contract/memory-engine.ts'
import { dayBefore, iotShare, makeLake } from '../support/lakes/make-lake.ts'
import { noBlocks } from '../support/lakes/no-blocks.ts'

const at = new Snapshot([])
const unread = () => Promise.reject(new Error('a choice reads nothing'))
const plain: Engine = { ...openMemoryEngine(unread), rows: unread, count: unread, sums: unread }
const byRowNumber: Engine = {
  ...plain,
  byRowNumber: {
    ...{ rows: unread, columns: () => expect.unreachable('a choice reads nothing') },
    ...{ count: unread, copy: unread },
  },
}

/** An index by hotspot that is asked for nothing but whether it knows a range. */
const indexThat = (knows: boolean): KeyIndex => ({
  ...openKeyIndex('', unread),
  covers: () => knows,
  sums: () => expect.unreachable('sums are not read to choose'),
  rows: () => expect.unreachable('rows are not read to choose'),
})

const from: Predicate = { column: 'end_period', match: 'atLeast', value: 10n }
const to: Predicate = { column: 'end_period', match: 'atMost', value: 20n }
const hotspot: Predicate = { column: 'hotspot_key', match: 'equals', value: '112ph' }
const cbsd: Predicate = { column: 'cbsd_id', match: 'equals', value: 'x' }
const account: Predicate = { column: 'account', match: 'equals', value: 'a' }
const range = { from: 10n, to: 20n }
const key = { key: '112ph', range }

interface Case {
  readonly of: Resource
  readonly where: readonly Predicate[]
  readonly knows?: true
  readonly page: object
  readonly connection: object
  readonly totals?: object
}

const engine = { by: 'engine' }
const logged = { total: 0, range, groups: [] }
/** An empty table has no file that is not indexed. */
const ofLog = { by: 'index', logged }
const searched = { by: 'index', search: expect.any(IndexSearch), compared: 0 }

const withPlaces: Readonly<Record<string, Case>> = {
  'a range of periods': {
    ...{ of: mobileRewardShares, where: [from, to] },
    ...{ page: ofLog, connection: ofLog, totals: { by: 'log', range } },
  },
  'a hotspot that the index knows': {
    ...{ of: mobileRewardShares, where: [from, to, hotspot], knows: true },
    page: { by: 'index', ...key },
    connection: { by: 'index', ...key },
    totals: { by: 'index', ...key },
  },
  'a hotspot that the index does not know': {
    ...{ of: mobileRewardShares, where: [from, to, hotspot] },
    ...{ page: searched, connection: searched, totals: engine },
  },
  'a filter that no log tells of': {
    ...{ of: mobileRewardShares, where: [from, to, cbsd], knows: true },
    ...{ page: searched, connection: searched, totals: engine },
  },
  'an account of the ledger': { of: l1Rewards, where: [account], page: searched, connection: searched },
  'a table of few rows': { of: makers, where: [], page: engine, connection: engine },
}

/** Without reading by place: what the log and the index tell by themselves stays as it is. */
const withoutPlaces: typeof withPlaces = {
  'a range of periods': {
    ...{ of: mobileRewardShares, where: [from, to] },
    ...{ page: ofLog, connection: ofLog, totals: { by: 'log', range } },
  },
  'a hotspot that the index knows': {
    ...{ of: mobileRewardShares, where: [from, to, hotspot], knows: true },
    page: { by: 'index', ...key },
    connection: { by: 'index', ...key },
    totals: { by: 'index', ...key },
  },
  'an account of the ledger': { of: l1Rewards, where: [account], page: engine, connection: engine },
}

describe.each([
  ['reads by place', byRowNumber, withPlaces],
  ['searches', plain, withoutPlaces],
])('over an engine that %s', (_, own, cases) => {
  it.each(Object.entries(cases))('%s', (_, { of, where, knows = false, ...expected }) => {
    const parts = { engine: own, index: indexThat(knows), blocks: noBlocks }
    const chosen = Object.keys(expected).map((verb) => [
      verb,
      choose(verb as Verb, { resource: of, where }, at, parts),
    ])
    expect(Object.fromEntries(chosen)).toEqual(expected)
  })
})

it('the engine is chosen for rows of files that have no index', async () => {
  const share = iotShare({ ...dayBefore('2025-01-10'), reward_type: 'operational_reward', amount: 1n })
  const lake = await makeLake({ 'iot/iot_reward_share.1.gz': [share] })
  const snapshot = await new Lake(lake.folder).latest()
  const plan = toRowsPlan(iotRewardShares, {}, { page: 1, perPage: 2 })
  const choiceOf = (blocks: RowBlocks) =>
    choose('page', plan, snapshot, { engine: byRowNumber, index: indexThat(false), blocks })
  expect(choiceOf(noBlocks)).toMatchObject({ by: 'engine', logged: { total: 1 } })
  expect(choiceOf({ ...noBlocks, has: () => true })).toMatchObject({ by: 'index', logged: { total: 1 } })
})

it('an engine that searches gets a query only for the rows of a page, because the log counts them', async () => {
  const share = (day: string) =>
    iotShare({ ...dayBefore(day), reward_type: 'operational_reward', amount: 1n })
  const days = ['2025-01-10', '2025-01-11', '2025-01-12']
  const lake = await makeLake({ 'iot/iot_reward_share.1.gz': days.map(share) })
  const snapshot = await new Lake(lake.folder).latest()
  const asked: RowsPlan[] = []
  const rows = async (plan: RowsPlan) => [{ amount: BigInt(asked.push(plan)) }]
  const parts = { engine: { ...plain, rows }, index: indexThat(false), blocks: noBlocks }
  const plan = toRowsPlan(iotRewardShares, {}, { page: 2, perPage: 2 })
  const pages = openPages(parts)
  const found = await pages.read(choose('page', plan, snapshot, parts), plan, snapshot)
  expect(found).toEqual({ total: 3, rows: [{ amount: 1n }], by: 'engine' })
  expect(asked).toEqual([plan])
})

it('the engine computes sums by group, because neither the log nor the index groups them', () => {
  const parts = { engine: byRowNumber, index: indexThat(true), blocks: noBlocks }
  const plan = { resource: mobileRewardShares, where: [from, to], groupBy: ['reward_type'] }
  expect(choose('totals', plan, at, parts)).toEqual(engine)
})
