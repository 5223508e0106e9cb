import { join } from 'node:path'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { findBlocked } from '../../src/answers/rows/blocked-rows.ts'
import { runAtOnce } from '../../src/base/slices.ts'
import { l1Rewards } from '../../src/catalog/l1/rewards.ts'
import type { Predicate } from '../../src/catalog/query/plan.ts'
import type { Row } from '../../src/catalog/resource.ts'
import { openRowBlocks, type RowBlocks } from '../../src/index/row-blocks.ts'
import { Lake } from '../../src/lake/snapshot/lake.ts'
import { deriveBlocks } from '../support/lakes/derive-all.ts'
import { storeMadeUp } from '../support/lakes/store-made-up.ts'
import { inListOrder } from '../support/network/reward-list.ts'
import { drawManyRewards, type Reward } from '../support/network/rewards.ts'
import { openTestWriter } from '../support/open-test-writer.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { scaled } from '../support/tier.ts'

const parts = drawManyRewards()
const everything = inListOrder(parts)
/** One of the account that has a third of all. */
const one = everything.find(
  (row, place) => place > 50_000 && row.account_address === '1largest' && row.gateway_address !== null,
) as Reward

/** Seconds since 1970 as a month. */
const monthOf = (time: unknown) => new Date(Number(time) * 1000).toISOString().slice(0, 7)

let lake = ''

beforeAll(async () => {
  lake = join(await temporaryFolder(), 'lake')
  await storeMadeUp(lake, l1Rewards, parts)
  await deriveBlocks(lake)
})

type Filter = 'block' | 'transaction_hash' | 'account_address' | 'gateway_address' | 'type'
const equal = (column: Filter): Predicate => ({ column, match: 'equals', value: one[column] as string })
const rowsWith = (...columns: readonly Filter[]) =>
  everything.filter((row) => columns.every((column) => row[column] === one[column]))

async function openBlocks(folder = lake) {
  const blocks = openRowBlocks(join(folder, '_state'), openTestWriter, { worthwhileRows: 1 })
  onTestFinished(() => blocks.close())
  const at = await new Lake(folder).latest()
  expect(await blocks.load(at)).toEqual([])
  return { blocks, at }
}

const window = { start: 0, end: 50 }
const planOf = (where: readonly Predicate[]) => ({ resource: l1Rewards, where, offset: 0, limit: 50 })

it('a search that compares many rows runs in slices', async () => {
  const { blocks, at } = await openBlocks()
  const search = findBlocked(blocks, planOf((['account_address', 'type'] as const).map(equal)), at)
  expect(search?.costOf(window)).toBeGreaterThan(8192)
  let turns = 0
  const steps = search?.rows(window)
  let step = steps?.next()
  for (; step?.done === false; step = steps?.next()) turns += 1
  expect(turns).toBeGreaterThan(3)
  const wanted = rowsWith('account_address', 'type')
  expect(step?.value?.total).toBe(wanted.length)
  expect(step?.value?.read(7, 30, ['ordinal'])).toEqual(
    wanted.slice(7, 30).map(({ ordinal }) => ({ ordinal })),
  )
  // All are compared now.
  expect(search?.costOf(window)).toBe(0)
})

it('a page of a frequent value compares only the chunk around it, because the log counts the others', async () => {
  const apart = join(await temporaryFolder(), 'lake')
  const { 'data_xaa.csv.gz': drawn = [] } = parts
  // Those of an earlier month lie in a file of their own.
  const only = drawn.filter(({ time }) => monthOf(time) === monthOf(one.time))
  await storeMadeUp(apart, l1Rewards, { 'data_xaa.csv.gz': only })
  await deriveBlocks(apart)
  const { blocks, at } = await openBlocks(apart)
  const wanted = inListOrder({ only }).filter(({ type }) => type === one.type)
  const last = { start: wanted.length - 50, end: wanted.length }
  const plan = { ...planOf([equal('type')]), offset: last.start }
  const search = findBlocked(blocks, plan, at)
  const cost = search?.costOf(last) ?? 0
  expect(only.length).toBeGreaterThan(20_480)
  expect(cost).toBeGreaterThan(0)
  expect(cost).toBeLessThanOrEqual(20_480)
  const found = search && runAtOnce(search.rows(last))
  expect(found?.total).toBe(wanted.length)
  expect(found?.read(last.start, last.end, ['block', 'transaction_hash'])).toEqual(
    wanted.slice(-50).map(({ block, transaction_hash }) => ({ block, transaction_hash })),
  )
})

it('a search from a time on compares only the chunk that contains the time', async () => {
  const { blocks, at } = await openBlocks()
  const time = one.time as bigint
  const from: Predicate = { column: 'time', match: 'atLeast', value: time }
  const search = findBlocked(blocks, planOf([from]), at)
  expect(search?.costOf(window)).toBeLessThanOrEqual(2 * 20_480)
  const found = search && runAtOnce(search.rows(window))
  expect(found?.total).toBe(everything.filter((row) => (row.time as bigint) >= time).length)
})

it('rows of a frequent value in a range of times are compared only in the blocks that the log names for the range', async () => {
  const { blocks, at } = await openBlocks()
  const hot = rowsWith('account_address')
  const [first, last] = [hot[hot.length >> 1], hot.at(-5)] as const
  const where: readonly Predicate[] = [
    equal('account_address'),
    { column: 'time', match: 'atLeast', value: first?.time as bigint },
    { column: 'time', match: 'atMost', value: last?.time as bigint },
  ]
  const search = findBlocked(blocks, planOf(where), at)
  expect(search?.costOf(window)).toBeLessThan(hot.length)
  const wanted = hot.filter(
    ({ time }) => (time as bigint) >= (first?.time as bigint) && (time as bigint) <= (last?.time as bigint),
  )
  const found = search && runAtOnce(search.rows(window))
  expect(found?.total).toBe(wanted.length)
})

it.each<[readonly Filter[], number]>([
  [['block', 'account_address'], 0],
  // So few that no other way is looked for.
  [['block', 'transaction_hash', 'account_address'], rowsWith('block', 'transaction_hash').length],
  [['transaction_hash', 'block'], 0],
  [['account_address', 'gateway_address'], rowsWith('gateway_address').length],
  [['account_address', 'transaction_hash'], rowsWith('transaction_hash').length],
  [['block', 'type'], rowsWith('block').length],
])('a filter by %s uses the index with the fewest rows to compare: %i', async (columns, most) => {
  const { blocks, at } = await openBlocks()
  const search = findBlocked(blocks, planOf(columns.map(equal)), at)
  expect(search?.costOf(window)).toBe(most)
  const found = search && runAtOnce(search.rows(window))
  expect(found?.total).toBeGreaterThan(0)
  expect(found?.read(0, found.total, ['ordinal'])).toEqual(
    rowsWith(...columns).map(({ ordinal }) => ({ ordinal })),
  )
})

it('the first rows of a filter are found without comparing all rows', async () => {
  const { blocks, at } = await openBlocks()
  const search = findBlocked(blocks, planOf((['account_address', 'type'] as const).map(equal)), at)
  const before = search?.costOf(window) ?? 0
  expect(search && runAtOnce(search.first(2, ['ordinal']))).toEqual(
    rowsWith('account_address', 'type')
      .slice(0, 2)
      .map(({ ordinal }) => ({ ordinal })),
  )
  expect(search?.costOf(window)).toBeGreaterThan(before >> 1)
})

it('a pointer names its first row, and the search starts there', async () => {
  const { blocks, at } = await openBlocks()
  const led: Row[] = []
  const watched: RowBlocks = {
    ...blocks,
    narrow(key, where, likely) {
      if (likely !== undefined)
        led.push(
          ...(blocks.rows([{ file: key, first: likely, end: likely + 1 }], ['transaction_hash']) ?? []),
        )
      return blocks.narrow(key, where, likely)
    },
  }
  for (const { transaction_hash } of everything.slice(0, scaled(20, 200))) {
    const where = [{ column: 'transaction_hash', match: 'equals', value: transaction_hash }] as const
    const search = findBlocked(watched, planOf(where), at)
    const found = search && runAtOnce(search.rows(window))
    expect(found?.total).toBe(everything.filter((row) => row.transaction_hash === transaction_hash).length)
    expect(led.splice(0)).toContainEqual({ transaction_hash })
  }
})
