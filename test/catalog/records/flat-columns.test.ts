import { describe, expect, it } from 'vitest'
import { hotspots } from '../../../src/catalog/l2/hotspots.ts'
import { iotRewardShares } from '../../../src/catalog/l2/iot-reward-shares.ts'
import { mobileRewardShares } from '../../../src/catalog/l2/mobile-reward-shares.ts'
import { flatColumns } from '../../../src/catalog/records/flat-columns.ts'
import { amountColumns, type Resource } from '../../../src/catalog/resource.ts'

const joined = (resource: Resource) => flatColumns(resource).filter(({ from }) => from.as !== 'column')
const namesOf = (resource: Resource) => joined(resource).map(({ name }) => name)
const sourceOf = (resource: Resource, column: string) =>
  flatColumns(resource).find(({ name }) => name === column)?.from

describe('a table of rewards as one flat table', () => {
  it('has its own columns, then those computed from others', () => {
    const own = Object.keys(iotRewardShares.columns)
    expect(flatColumns(iotRewardShares).map(({ name }) => name)).toEqual([
      ...own,
      ...['day', 'epoch', 'token', 'price_usd'],
      ...amountColumns(iotRewardShares).map((name) => `formatted_${name}`),
      ...['earned', 'formatted_earned', 'usd', 'hotspot_name', 'owner', 'maker_name', 'month'],
    ])
    expect(namesOf(mobileRewardShares)).toEqual([
      ...['day', 'epoch', 'token', 'price_usd'],
      ...amountColumns(mobileRewardShares)
        .filter((name) => !['rewardable_bytes', 'price'].includes(name))
        .map((name) => `formatted_${name}`),
      ...[
        'offloaded_bytes',
        'earned',
        'formatted_earned',
        'usd',
        'hotspot_name',
        'owner',
        'maker_name',
        'month',
      ],
    ])
  })

  it('has the earnings of variants with a hotspot, and neither prices nor bytes', () => {
    expect(sourceOf(iotRewardShares, 'earned')).toEqual({
      as: 'sum',
      of: ['beacon_amount', 'witness_amount', 'dc_transfer_amount'],
    })
    expect(sourceOf(mobileRewardShares, 'usd')).toEqual({
      as: 'usd',
      of: ['dc_transfer_reward', 'poc_reward', 'base_poc_reward', 'boosted_poc_reward'],
    })
  })

  it.each([iotRewardShares, mobileRewardShares])('has each name once, with a description', (resource) => {
    const columns = flatColumns(resource)
    expect(new Set(columns.map(({ name }) => name)).size).toBe(columns.length)
    expect(columns.filter(({ doc }) => !/^[A-Z].+\.$/.test(doc))).toEqual([])
    expect(columns.find(({ name }) => name === 'price')?.unit).toBeUndefined()
    expect(columns.find(({ name }) => name === 'earned')?.unit).toBe('bones')
  })
})

it('flat columns of any other table are its columns', () => {
  expect(joined(hotspots)).toEqual([])
})
