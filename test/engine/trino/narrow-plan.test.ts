import { describe, expect, it } from 'vitest'
import { iotRewardShares } from '../../../src/catalog/l2/iot-reward-shares.ts'
import { mobileRewardShares } from '../../../src/catalog/l2/mobile-reward-shares.ts'
import type { RowsPlan } from '../../../src/catalog/query/plan.ts'
import type { Resource } from '../../../src/catalog/resource.ts'
import { withinGroups, withSources } from '../../../src/engine/trino/narrow-plan.ts'
import { deriveSeed, openRandom } from '../../../src/write/sample/random.ts'
import { openMemoryEngine } from '../../support/contract/memory-engine.ts'
import { atLeast, atMost, equals, places, positionAt, rowsPlan } from '../../support/contract/plans.ts'
import { world } from '../../support/contract/world.ts'
import { pick } from '../../support/network/draw.ts'
import { scaled } from '../../support/tier.ts'

const ROUNDS = scaled(60, 2000)
const memory = openMemoryEngine((resource) => world.rowsOf(resource))
const shares = [iotRewardShares, mobileRewardShares].map((resource) => [resource.name, resource] as const)

describe.each(shares)('a plan over %s', (_, resource: Resource) => {
  const all = world.rowsOf(resource)
  const random = openRandom(deriveSeed('narrow', resource.name))
  const periods = () => pick(all, random).end_period as bigint

  function draw(): RowsPlan {
    const type = equals('reward_type', String(pick(all, random).reward_type))
    const range = [
      atLeast('end_period', periods() - BigInt(random.below(2))),
      atMost('end_period', periods()),
    ]
    const where = [...range.filter(() => random.chance(0.6)), ...(random.chance(0.4) ? [type] : [])]
    const position = () => positionAt(resource, pick(all, random))
    return rowsPlan(resource, {
      where,
      ...(random.chance(0.25) && { after: position() }),
      ...(random.chance(0.2) && { before: position() }),
      ...(random.chance(0.3) && { fromEnd: true as const }),
      ...{ offset: random.chance(0.3) ? 0 : random.below(300), limit: 1 + random.below(60) },
    })
  }

  it('of a page returns the rows of the full plan from the few groups that the log names', async () => {
    let [found, fewer] = [0, 0]
    for (let round = 0; round < ROUNDS; round += 1) {
      const plan = draw()
      const wanted = places(await memory.rows(plan, world.at))
      const narrowed = withinGroups(plan, world.at)
      const rows = narrowed === undefined ? [] : await memory.rows(narrowed, world.at)
      expect(
        places(rows),
        JSON.stringify({ ...plan, resource: '' }, (_key, value) =>
          typeof value === 'bigint' ? String(value) : value,
        ),
      ).toEqual(wanted)
      found += rows.length
      if (plan.offset > 0 && narrowed !== undefined && narrowed.offset < plan.offset) fewer += 1
    }
    expect(found).toBeGreaterThan(ROUNDS)
    expect(fewer).toBeGreaterThan(ROUNDS / 20)
  })

  it('of a page that ends before a cursor includes rows of earlier groups', async () => {
    let further = 0
    for (let round = 0; round < ROUNDS; round += 1) {
      const place = positionAt(resource, pick(all, random))
      const cut = { offset: random.below(300), limit: 1 + random.below(60) }
      const plan = rowsPlan(resource, { ...cut, before: place, fromEnd: true })
      const wanted = await memory.rows(plan, world.at)
      const narrowed = withinGroups(plan, world.at)
      const rows = narrowed === undefined ? [] : await memory.rows(narrowed, world.at)
      expect(places(rows)).toEqual(places(wanted))
      if (rows.some((row) => row.source_file !== place[2])) further += 1
    }
    expect(further).toBeGreaterThan(ROUNDS / 20)
  })

  it('skips rows of its first group only, at any depth', async () => {
    const plan = rowsPlan(resource, { offset: all.length - 30, limit: 25 })
    const narrowed = withinGroups(plan, world.at)
    const largest = Math.max(
      ...world.at
        .table(resource)
        .files.flatMap(({ sources }) => sources.flatMap(({ groups }) => groups.map(({ rows }) => rows))),
    )
    expect(narrowed?.offset).toBeLessThan(2 * largest)
    expect(narrowed?.where.map(({ column }) => column)).toContain('source_file')
  })

  it('with another filter returns the rows of the full plan, and names the sources of its range', async () => {
    for (let round = 0; round < 20; round += 1) {
      const key = pick(all, random).hotspot_key
      const where = [...draw().where, ...(typeof key === 'string' ? [equals('hotspot_key', key)] : [])]
      const plan = { resource, where }
      const narrowed = withSources(plan, world.at)
      expect(narrowed === undefined ? 0 : await memory.count(narrowed, world.at)).toBe(
        await memory.count(plan, world.at),
      )
      const isBounded = where.some(({ column }) => column === 'end_period')
      expect(narrowed?.where.some(({ column }) => column === 'source_file') ?? true).toBe(isBounded)
    }
  })

  it('of a range without rows needs no query', () => {
    const where = [atLeast('end_period', 4_000_000_000_000_000n)]
    expect(withSources({ resource, where }, world.at)).toBeUndefined()
    expect(withinGroups(rowsPlan(resource, { where }), world.at)).toBeUndefined()
  })
})
