import { l1Gateways } from '../catalog/l1/gateways.ts'
import { hotspots } from '../catalog/l2/hotspots.ts'
import type { Resource } from '../catalog/resource.ts'
import type { Days } from '../derive/days.ts'
import { daysInBoth } from '../derive/days.ts'
import type { Filters } from '../derive/filter-values.ts'
import { fail } from '../errors.ts'
import { valueAt } from '../export/formats/flat-batch.ts'
import type { Snapshot } from '../lake/snapshot.ts'
import type { ListBatch } from '../repository/group-rows.ts'
import type { Repository } from '../repository/repository.ts'
import type { HeldKey } from './key-lines.ts'

/** A hotspot of a statement, with the days of the statement in which it was held. */
export interface Holding extends Days {
  readonly key: string
  /** Null for one that no table names. */
  readonly name: string | null
}

/** Whose hotspots a statement is about: those of an owner, or given keys. */
export type Holder = { readonly owner: string } | { readonly keys: readonly HeldKey[] }

/** More keys than these are not looked up one by one. */
const MOST_LOOKED_UP = 8

/** The value of a column in a row of a batch. */
export function valueIn({ shared, columns }: ListBatch, name: string, row: number) {
  const values = columns[name]
  return (values === undefined ? shared[name] : valueAt(values, row)) ?? null
}

/**
 * Hotspots in the order of their keys. Owners are those of the snapshot.
 * Errors: `not_found` for an owner without hotspots.
 */
export async function holdingsOf(
  repository: Repository,
  holder: Holder,
  days: Days,
  at: Snapshot,
  signal?: AbortSignal,
): Promise<readonly Holding[]> {
  const names = async (resource: Resource, filters: Filters, key: string) => {
    const found = new Map<string, string | null>()
    const list = await repository.whole(resource, filters, [key, 'name'], at, signal)
    for await (const batch of list.batches())
      for (let row = 0; row < batch.rows; row += 1) {
        const own = String(valueIn(batch, key, row))
        const name = valueIn(batch, 'name', row)
        if (!found.has(own)) found.set(own, name === null ? null : String(name))
      }
    return found
  }

  if ('owner' in holder) {
    const own = await names(hotspots, { owner: holder.owner }, 'ecc_key')
    if (own.size === 0) fail('not_found', `Owner not found: no hotspot of snapshot ${at.id} is owned by it.`)
    return byKey([...own].map(([key, name]) => ({ key, name, ...days })))
  }
  /** Names of some keys: few are looked up, for many the table is read once. */
  async function namesOf(keys: readonly string[], resource: Resource, key: string) {
    const some = keys.length > MOST_LOOKED_UP ? [{}] : keys.map((own) => ({ [key]: own }))
    const found: (readonly [string, string | null])[] = []
    for (const filters of some) found.push(...(await names(resource, filters, key)))
    return new Map(found)
  }

  const held = holder.keys.flatMap(({ key, ...own }) => {
    const both = daysInBoth(days, own)
    return both === undefined ? [] : [{ key, ...both }]
  })
  const keys = [...new Set(held.map(({ key }) => key))]
  const now = await namesOf(keys, hotspots, 'ecc_key')
  const others = keys.filter((key) => (now.get(key) ?? null) === null)
  const before = await namesOf(others, l1Gateways, 'address')
  return byKey(held.map((own) => ({ ...own, name: now.get(own.key) ?? before.get(own.key) ?? null })))
}

function byKey(holdings: readonly Holding[]): readonly Holding[] {
  const place = ({ key, first }: Holding) => `${key} ${first}`
  return [...holdings].sort((a, b) => (place(a) < place(b) ? -1 : 1))
}
