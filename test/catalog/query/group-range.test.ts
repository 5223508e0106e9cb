import { describe, expect, it } from 'vitest'
import { l1Transactions } from '../../../src/catalog/l1/transactions.ts'
import { hotspots } from '../../../src/catalog/l2/hotspots.ts'
import { iotRewardShares } from '../../../src/catalog/l2/iot-reward-shares.ts'
import { rewardManifests } from '../../../src/catalog/l2/reward-manifests.ts'
import { groupRangeOf, keyedRangeOf } from '../../../src/catalog/query/group-range.ts'
import type { Predicate } from '../../../src/catalog/query/plan.ts'
import { toFirstPlan, toRowsPlan } from '../../../src/catalog/query/to-plan.ts'

const from: Predicate = { column: 'end_period', match: 'atLeast', value: 10n }
const to: Predicate = { column: 'end_period', match: 'atMost', value: 20n }
const type: Predicate = { column: 'reward_type', match: 'equals', value: 'gateway_reward' }

describe('the groups that answer a plan', () => {
  it('are all of them without a filter', () => {
    expect(groupRangeOf({ resource: iotRewardShares, where: [] })).toEqual({
      from: -(2n ** 63n),
      to: 2n ** 63n - 1n,
    })
  })

  it('are limited by a time range and a reward type', () => {
    expect(groupRangeOf({ resource: iotRewardShares, where: [from, to, type] })).toEqual({
      from: 10n,
      to: 20n,
      type: 'gateway_reward',
    })
  })

  it.each<[string, Predicate]>([
    ['a hotspot', { column: 'hotspot_key', match: 'equals', value: '112ph' }],
    ['one end_period by name', { column: 'end_period', match: 'equals', value: 10n }],
    ['a range of reward types', { column: 'reward_type', match: 'atLeast', value: 'a' }],
    ['the start of the period', { column: 'start_period', match: 'atLeast', value: 10n }],
  ])('do not exist for %s', (_, predicate) => {
    expect(groupRangeOf({ resource: iotRewardShares, where: [from, to, predicate] })).toBeUndefined()
  })

  it('do not exist for a table without group statistics', () => {
    expect(groupRangeOf({ resource: rewardManifests, where: [] })).toBeUndefined()
  })
})

it('a plan for one hotspot has a key, and a plan for two or for all has none', () => {
  const key = (value: string): Predicate => ({ column: 'hotspot_key', match: 'equals', value })
  const plan = (...where: readonly Predicate[]) => keyedRangeOf({ resource: iotRewardShares, where })
  expect(plan(key('112ph'), from, to)).toEqual({ key: '112ph', range: { from: 10n, to: 20n } })
  expect(plan(key('112ph'), key('11abc'), from, to)).toBeUndefined()
  expect(plan(from, to)).toBeUndefined()
})

it('a lookup reads the columns that its record and its id follow from, and no others', () => {
  expect(toFirstPlan(l1Transactions, [])).toEqual({
    resource: l1Transactions,
    where: [],
    columns: ['block', 'transaction_hash', 'type', 'fields', 'time'],
    limit: 1,
    offset: 0,
  })
  const embedding = toFirstPlan(hotspots, []).columns
  expect(embedding).toEqual(expect.arrayContaining(['id', 'maker_id', 'maker', 'name']))
})

it('a page becomes a plan with the offset of its first row', () => {
  const filters = { from: 10n, to: 20n, hotspot_key: '112ph' }
  expect(toRowsPlan(iotRewardShares, filters, { page: 3, perPage: 7 })).toEqual({
    resource: iotRewardShares,
    where: [from, to, { column: 'hotspot_key', match: 'equals', value: '112ph' }],
    columns: expect.arrayContaining(['source_file', 'ordinal', 'end_period', 'hotspot_key', 'amount']),
    limit: 7,
    offset: 14,
  })
})
