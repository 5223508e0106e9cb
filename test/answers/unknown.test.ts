import { expect, it } from 'vitest'
import { fullReach } from '../../src/answers/unknown/reach.ts'
import { openUnknown } from '../../src/answers/unknown/unknown.ts'
import { hotspots } from '../../src/catalog/l2/hotspots.ts'
import { iotRewardShares } from '../../src/catalog/l2/iot-reward-shares.ts'
import type { Resource } from '../../src/catalog/resource.ts'
import type { Snapshot } from '../../src/lake/snapshot/snapshot.ts'

it.each([
  ['that a table has', 'owner-a', [], 1],
  ['that no table has', 'nobody', ['nobody'], 1],
  ['of more than 256 characters', 'n'.repeat(300), ['n'.repeat(300)], 3],
] as const)('a value %s is looked up no more often than needed', (_which, value, missing, lookups) => {
  let looked = 0
  const peek = () => {
    looked += 1
    return { total: missing.length === 0 ? 1 : 0, rows: [] }
  }
  const parts = { engine: {}, index: { covers: () => false } }
  const unknown = openUnknown(parts as never, { peek } as never)
  const asked = [{ param: 'owner', values: [value], holders: [{ resource: hotspots, column: 'owner' }] }]
  const told = missing.length === 0 ? {} : { owner: missing }
  const table = { rows: 5 }
  const at = { table: () => table } as unknown as Snapshot
  for (let time = 0; time < 3; time += 1) expect(unknown.peek(asked, fullReach, at)).toEqual(told)
  expect(looked).toBe(lookups)
  // Another version of the table may have other values.
  const next = { table: () => ({ rows: 5 }) } as unknown as Snapshot
  expect(unknown.peek(asked, fullReach, next)).toEqual(told)
  expect(looked).toBe(lookups + 1)
})

it.each([
  ['that the index has is looked up nowhere else', true, {}, 0],
  ['that the index lacks is looked up in the other tables', false, { hotspot_key: ['no-hotspot'] }, 2],
  ['is looked up in all tables without an index', undefined, { hotspot_key: ['no-hotspot'] }, 2],
] as const)('a key %s', (_which, has, told, lookups) => {
  let looked = 0
  const peek = () => {
    looked += 1
    return { total: 0, rows: [] }
  }
  const parts = { engine: {}, index: { has: () => has, covers: () => has !== undefined } }
  const unknown = openUnknown(parts as never, { peek } as never)
  const holders = [
    { resource: hotspots, column: 'ecc_key' },
    { resource: iotRewardShares, column: 'hotspot_key' },
  ]
  const asked = [{ param: 'hotspot_key', values: ['no-hotspot'], holders }]
  const tables = new Map<Resource, object>(holders.map(({ resource }) => [resource, { rows: 5 }]))
  const at = { table: (resource: Resource) => tables.get(resource) } as unknown as Snapshot
  expect(unknown.peek(asked, fullReach, at)).toEqual(told)
  expect(looked).toBe(lookups)
})

it('at most 10,000 missing values of a table are remembered, the newest', () => {
  let looked = 0
  const peek = () => {
    looked += 1
    return { total: 0, rows: [] }
  }
  const unknown = openUnknown({ engine: {}, index: { covers: () => false } } as never, { peek } as never)
  const at = { table: () => table } as unknown as Snapshot
  const table = { rows: 5 }
  const look = (value: string) =>
    unknown.peek(
      [{ param: 'owner', values: [value], holders: [{ resource: hotspots, column: 'owner' }] }],
      fullReach,
      at,
    )
  for (let number = 0; number <= 10_000; number += 1) look(`owner-${number}`)
  look('owner-10000')
  look('owner-1')
  expect(looked).toBe(10_001)
  look('owner-0')
  expect(looked).toBe(10_002)
})
