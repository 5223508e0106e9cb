import { expect, it } from 'vitest'
import { iotRewardShares } from '../../../src/catalog/l2/iot-reward-shares.ts'
import { iotWitnessIngestReports } from '../../../src/catalog/l2/iot-witness-ingest-reports.ts'
import { mobileRewardShares } from '../../../src/catalog/l2/mobile-reward-shares.ts'
import type { Sum, SumsPlan } from '../../../src/catalog/query/plan.ts'
import { amountColumns, type Row } from '../../../src/catalog/resource.ts'
import { atLeast, atMost, equals, plainGroups, sumsPlan } from '../../support/contract/plans.ts'
import { prices } from '../../support/contract/random-plans.ts'
import { describeEngines, world } from '../../support/contract/world.ts'
import { at } from '../../support/lakes/make-lake.ts'

/** The plain reduce. */
const reduced = (rows: readonly Row[], column: string) =>
  rows.reduce((sum, row) => sum + ((row[column] as bigint | null) ?? 0n), 0n)

const amount = { column: 'amount', as: 'amount' } as const
const reward = { column: 'dc_transfer_reward', as: 'amount' } as const
const bytes: Sum = { column: 'dc_transfer_reward', as: 'offloaded_bytes' }

/** reward / price * 2^31, rounded half up. */
function bytesOf(row: Row): bigint {
  const price = prices.get(String(row.source_file))
  if (price === undefined || row.dc_transfer_reward === null) return 0n
  const dividend = (row.dc_transfer_reward as bigint) * 2n ** 31n
  return dividend / price + ((dividend % price) * 2n >= price ? 1n : 0n)
}

describeEngines((engine) => {
  const ask = (plan: SumsPlan) => engine().sums(plan, world.at)

  it('sums are exact beyond 64 bits', async () => {
    const rows = world.rowsOf(mobileRewardShares)
    const wanted = amountColumns(mobileRewardShares).map((column) => [column, reduced(rows, column)])
    expect(await ask(sumsPlan(mobileRewardShares))).toEqual([{ group: {}, sums: Object.fromEntries(wanted) }])
    expect(reduced(rows, 'dc_transfer_reward')).toBeGreaterThan(2n ** 64n)
  })

  it('sums without rows are 0, never null', async () => {
    for (const where of [
      [equals('hotspot_key', 'nobody')],
      [atLeast('end_period', at('2099-01-01T00:00Z')), atMost('end_period', at('2099-01-02T00:00Z'))],
    ]) {
      const plan = sumsPlan(mobileRewardShares, { where, sums: { amount, bytes }, prices })
      expect(await ask(plan)).toEqual([{ group: {}, sums: { amount: 0n, bytes: 0n } }])
      expect(await ask({ ...plan, groupBy: ['reward_type'] })).toEqual([])
    }
  })

  it('sums of a column without values are 0', async () => {
    const where = [equals('reward_type', 'operational_reward')]
    const [answer] = await ask(sumsPlan(iotRewardShares, { where }))
    expect(answer?.sums).toMatchObject({ beacon_amount: 0n, witness_amount: 0n, dc_transfer_amount: 0n })
    expect(answer?.sums.amount).toBeGreaterThan(0n)
  })

  it.each([
    ['one group for each pair of values', ['end_period', 'reward_type'], 20],
    ['one group for all rows without a value', ['hotspot_key'], 12],
  ])('sums by group have %s', async (_, groupBy, least) => {
    const groups = new Map<string, Row[]>()
    for (const row of world.rowsOf(iotRewardShares)) {
      const key = groupBy.map((column) => String(row[column])).join()
      groups.set(key, [...(groups.get(key) ?? []), row])
    }
    expect(groups.size).toBeGreaterThan(least)
    const wanted = [...groups.values()].map((rows) => ({
      group: Object.fromEntries(groupBy.map((column) => [column, rows[0]?.[column] ?? null])),
      sums: { amount: reduced(rows, 'amount') },
    }))
    const found = await ask(sumsPlan(iotRewardShares, { groupBy, sums: { amount } }))
    expect(plainGroups(found)).toEqual(plainGroups(wanted))
  })

  it('sums by step count each row for the greatest start that is at most its 64-bit integer', async () => {
    const rows = world.rowsOf(iotWitnessIngestReports)
    const values = [...new Set(rows.map((row) => row.reported_ns as bigint))].sort((a, b) => (a < b ? -1 : 1))
    expect(values.length).toBeGreaterThan(2)
    expect(values.every((value) => value > 2n ** 60n)).toBe(true)
    // Neighbours are one as doubles; what comes before the second value is left out.
    const starts = values.slice(1).flatMap((value) => [value, value + 1n])
    const ns = { column: 'reported_ns', as: 'amount' } as const
    const plan = sumsPlan(iotWitnessIngestReports, { sums: { ns }, steps: { of: 'reported_ns', starts } })
    const wanted = values.slice(1).map((value) => {
      const own = rows.filter((row) => row.reported_ns === value)
      return { group: { step: value }, sums: { ns: reduced(own, 'reported_ns') } }
    })
    expect(plainGroups(await ask(plan))).toEqual(plainGroups(wanted))
  })

  it('sums of offloaded bytes round every row half up, and are 0 for sources without a price', async () => {
    const sums = { bytes, reward }
    const groups = await ask(sumsPlan(mobileRewardShares, { sums, groupBy: ['source_file'], prices }))
    const rows = world.rowsOf(mobileRewardShares)
    expect(groups).toHaveLength(new Set(rows.map((row) => row.source_file)).size)
    for (const { group, sums } of groups) {
      const own = rows.filter((row) => row.source_file === group.source_file)
      const wanted = own.map(bytesOf).reduce((sum, one) => sum + one, 0n)
      expect(sums).toEqual({ bytes: wanted, reward: reduced(own, 'dc_transfer_reward') })
      expect(wanted > 0n).toBe(prices.has(String(group.source_file)))
    }
  })

  it('sums of offloaded bytes can be requested together with the sum of a column named price', async () => {
    const price = { column: 'price', as: 'amount' } as const
    const [answer] = await ask(sumsPlan(mobileRewardShares, { sums: { bytes, price }, prices }))
    const rows = world.rowsOf(mobileRewardShares)
    expect(answer?.sums.price).toBe(reduced(rows, 'price'))
    expect(answer?.sums.bytes).toBe(rows.map(bytesOf).reduce((sum, one) => sum + one, 0n))
  })
})
