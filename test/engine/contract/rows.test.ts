import { describe, expect, it } from 'vitest'
import { iotRewardShares } from '../../../src/catalog/l2/iot-reward-shares.ts'
import { mobileRewardShares } from '../../../src/catalog/l2/mobile-reward-shares.ts'
import { rejects } from '../../../src/catalog/lake/rejects.ts'
import type { RowsPlan } from '../../../src/catalog/query/plan.ts'
import type { Resource, Row } from '../../../src/catalog/resource.ts'
import { comparing } from '../../support/contract/compare-rows.ts'
import { equals, places, plainRows, positionAt, rowsPlan } from '../../support/contract/plans.ts'
import { describeEngines, eachTable, world } from '../../support/contract/world.ts'
import { scaled } from '../../support/tier.ts'

describeEngines((engine) => {
  const ask = (resource: Resource, more: Partial<RowsPlan> = {}) =>
    engine().rows(rowsPlan(resource, more), world.at)

  describe.each(eachTable)('%s', (_, resource) => {
    it('returns all rows with every value, in its order', async () => {
      const compare = comparing(resource)
      const wanted = [...world.rowsOf(resource)].sort(compare)
      expect(wanted.length).toBeGreaterThan(3)
      for (const [index, row] of wanted.slice(1).entries())
        expect(compare(wanted[index] as Row, row)).toBe(-1)
      expect(plainRows(await ask(resource))).toEqual(plainRows(wanted))
    })

    it('returns after any row the rows that follow it, and before it the rows that precede it', async () => {
      const columns = [...new Set([...resource.order.map((step) => step.column), 'source_file', 'ordinal'])]
      const rows = await ask(resource, { columns })
      const all = places(rows)
      const stride = Math.max(1, Math.floor(rows.length / scaled(2, 40)))
      for (let index = 0; index < rows.length; index += stride) {
        const position = positionAt(resource, rows[index])
        const next = await ask(resource, { columns, after: position, limit: 3 })
        expect(places(next)).toEqual(all.slice(index + 1, index + 4))
        const last = await ask(resource, { columns, before: position, limit: 3, fromEnd: true })
        expect(places(last)).toEqual(all.slice(Math.max(0, index - 3), index))
        const plan = { resource, where: [] }
        const after = await engine().count({ ...plan, after: position }, world.at)
        expect(after).toBe(rows.length - index - 1)
        expect(await engine().count({ ...plan, before: position }, world.at)).toBe(index)
      }
    })
  })

  it('rows have exactly the columns of the plan, and null where there is no value', async () => {
    const columns = ['entity', 'hotspot_key', 'coverage_object', 'seniority_timestamp', 'amount']
    const where = [equals('reward_type', 'promotion_reward')]
    const rows = await ask(mobileRewardShares, { where, columns, limit: 3 })
    expect(rows).toHaveLength(3)
    for (const row of rows) {
      expect(Object.keys(row)).toEqual(columns)
      expect(Object.values(row)).toEqual([expect.any(String), null, null, null, null])
    }
  })

  it('rows begin at the offset, and are at most as many as the limit', async () => {
    const all = places(await ask(iotRewardShares))
    for (const offset of [0, 7, all.length - 1, all.length, 1_000_000])
      for (const limit of [0, 1, 25]) {
        const page = await ask(iotRewardShares, { offset, limit })
        expect(places(page)).toEqual(all.slice(offset, offset + limit))
      }
  })

  it('rows between two positions are returned from either end', async () => {
    const columns = mobileRewardShares.order.map((step) => step.column)
    const rows = await ask(mobileRewardShares, { columns })
    const [low, high] = [100, 110].map((index) => positionAt(mobileRewardShares, rows[index])) as [[], []]
    const between = { columns, after: low, before: high }
    const inner = rows.slice(101, 110)
    expect(await ask(mobileRewardShares, between)).toEqual(inner)
    const last = { ...between, fromEnd: true } as const
    expect(await ask(mobileRewardShares, { ...last, limit: 4 })).toEqual(inner.slice(-4))
    expect(await ask(mobileRewardShares, { ...last, limit: 2, offset: 3 })).toEqual(inner.slice(4, 6))
    expect(await ask(mobileRewardShares, { columns, after: high, before: low })).toEqual([])
  })

  it('a table that does not exist has no rows', async () => {
    expect(await ask(rejects)).toEqual([])
    expect(await engine().count({ resource: rejects, where: [] }, world.at)).toBe(0)
  })
})
