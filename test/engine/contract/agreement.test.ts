import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CountPlan } from '../../../src/catalog/query/plan.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { allColumns, plainGroups, plainRows, rowsPlan } from '../../support/contract/plans.ts'
import { openPlans } from '../../support/contract/random-plans.ts'
import { eachTable, implementations, world } from '../../support/contract/world.ts'
import { scaled } from '../../support/tier.ts'

/** Requests of each table. */
const ROUNDS = scaled(6, 120)

let engines: readonly Engine[] = []
beforeAll(async () => {
  engines = await Promise.all(implementations.map(({ open }) => open()))
})
afterAll(async () => {
  for (const engine of engines) await engine.close()
})

/** What all engines answer. */
async function agree<T>(plan: CountPlan, ask: (engine: Engine) => Promise<T>): Promise<T> {
  const [first, ...others] = await Promise.all(engines.map(ask))
  const where = plan.where.map(({ column, match, value }) => `${column} ${match} ${value}`).join(', ')
  expect(others).toHaveLength(implementations.length - 1)
  for (const other of others) expect(other, `${plan.resource.name} where ${where}`).toEqual(first)
  return first as T
}

describe.each(eachTable)('all engines agree on %s', (_, resource) => {
  const { random, some, where, bounds, sums } = openPlans(resource, world.rowsOf(resource), 'agreement')

  it('with random filters, positions, pages and columns', async () => {
    let found = 0
    for (let round = 0; round < ROUNDS; round += 1) {
      const more = { where: where(), ...bounds() }
      const columns = [...new Set([...some(allColumns(resource)), 'source_file', 'ordinal'])]
      const plan = rowsPlan(resource, {
        ...more,
        ...{ columns, offset: random.chance(0.7) ? 0 : random.below(40), limit: 1 + random.below(60) },
        ...(random.chance(0.3) && { fromEnd: true as const }),
      })
      const page = await agree(plan, async (engine) => plainRows(await engine.rows(plan, world.at)))
      found += page.length
      const count = { resource, ...more }
      await agree(count, (engine) => engine.count(count, world.at))
    }
    // Not all of it may have been about nothing.
    expect(found).toBeGreaterThan(ROUNDS / 4)
  })

  it('with random sums and groups', async () => {
    let found = 0
    for (let round = 0; round < ROUNDS; round += 1) {
      const plan = sums()
      found += (await agree(plan, async (engine) => plainGroups(await engine.sums(plan, world.at)))).length
    }
    expect(found).toBeGreaterThan(ROUNDS / 4)
  })
})
