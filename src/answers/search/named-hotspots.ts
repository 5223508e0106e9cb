import { quoted } from '../../base/parameter-text.ts'
import { isSliceOver, nextSlice } from '../../base/slices.ts'
import { plainName, spellingsOf } from '../../base/values/plain-name.ts'
import { l1Gateways } from '../../catalog/l1/gateways.ts'
import { hotspots } from '../../catalog/l2/hotspots.ts'
import { toCountPlan } from '../../catalog/query/to-plan.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import type { Reach } from '../unknown/reach.ts'

/** Keys by name, if a name identifies one hotspot. */
interface NamedHotspots {
  readonly keys: ReadonlyMap<string, string>
  /** An unfinished sentence for each of the first ambiguous names, and one for the rest. */
  readonly ambiguous: readonly string[]
}

/** Finds the hotspots named in texts that are keys or names: current hotspots first, then gateways of L1. */
export type FindNamed = (
  texts: readonly string[],
  reach: Reach,
  at: Snapshot,
  signal?: AbortSignal,
) => Promise<NamedHotspots>

/** Limit of names, and of keys per name, in an error. */
const MOST_LISTED = 10

const tables = [
  { resource: hotspots, key: 'ecc_key' },
  { resource: l1Gateways, key: 'address' },
] as const

/** Keys are base58, so a text with blanks or hyphens is a name. */
export function isHotspotName(text: string): boolean {
  return /[\s_-]/.test(text.trim())
}

export function openNamedHotspots(engine: Engine): FindNamed {
  /** Keys by plain name in one table. */
  async function keysIn(
    resource: Resource,
    key: string,
    names: readonly string[],
    reach: Reach,
    at: Snapshot,
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    const keys = new Map<string, Set<string>>()
    const [filters, limit] = [reach(resource), at.table(resource).rows]
    if (filters === undefined || limit === 0 || names.length === 0) return keys
    const { where } = toCountPlan(resource, filters)
    const spellings: string[] = []
    for (const name of names) {
      if (isSliceOver()) await nextSlice(signal)
      spellings.push(...spellingsOf(name))
    }
    const isNamed = { column: 'name', match: 'anyOf', value: spellings } as const
    const plan = { resource, where: [...where, isNamed], columns: [key, 'name'], limit, offset: 0 }
    for (const row of await engine.rows(plan, at, signal)) {
      if (isSliceOver()) await nextSlice(signal)
      const name = plainName(String(row.name))
      keys.set(name, (keys.get(name) ?? new Set()).add(String(row[key])))
    }
    return keys
  }

  return async (texts, reach, at, signal) => {
    const keys = new Map<string, string>()
    const ambiguous: string[] = []
    let remaining = [...new Set(texts.filter(isHotspotName))]
    for (const { resource, key } of tables) {
      const keysByName = await keysIn(resource, key, remaining, reach, at, signal)
      for (const name of remaining) {
        if (isSliceOver()) await nextSlice(signal)
        const [hotspotKey, ...more] = keysByName.get(plainName(name)) ?? []
        if (hotspotKey !== undefined && more.length > 0)
          ambiguous.push(sentenceFor(name, [hotspotKey, ...more]))
        else if (hotspotKey !== undefined) keys.set(name, hotspotKey)
      }
      remaining = remaining.filter((name) => !keysByName.has(plainName(name)))
    }
    const unlisted = ambiguous.splice(MOST_LISTED).length
    if (unlisted > 0) ambiguous.push(`and ${unlisted} more are names of several hotspots`)
    return { keys, ambiguous }
  }
}

function sentenceFor(name: string, keys: readonly string[]): string {
  const listed = [...keys].sort().slice(0, MOST_LISTED)
  const more = keys.length > listed.length ? ` and ${keys.length - listed.length} more` : ''
  return `${quoted(name)} is the name of ${keys.length} hotspots; use the key of one: ${listed.join(', ')}${more}`
}
