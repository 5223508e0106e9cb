import type { Resource } from '../catalog/resource.ts'
import type { Engine } from '../engine/engine.ts'
import type { Earned } from '../hotspot-sums/hotspot-sums.ts'
import type { Snapshot } from '../lake/snapshot.ts'
import { type GroupRange, groupRangeOf } from '../query/group-range.ts'
import type { CountPlan, Predicate } from '../query/plan.ts'
import { whereKeys } from './series-engine.ts'
import { type GroupEarned, groupName, rankGroups } from './series-fold.ts'

/** What keys earned in each token. */
export type KeyEarned = GroupEarned & { readonly key: string }

/** A key as a group of its own. */
export const ofKey = (one: Earned): KeyEarned => ({ ...one, group: one.key })

interface Asked {
  readonly resource: Resource
  readonly where: readonly Predicate[]
  readonly tokenOf: (source: string) => string | null
  readonly keys: readonly string[] | undefined
  /** The most keys for each token; undefined for all of them. */
  readonly limit: number | undefined
}

/** Keys and what they earned, by the engine: one statement for each token of the range. */
export async function earnedByKeys(
  engine: Engine,
  { resource, where, tokenOf, keys, limit }: Asked,
  at: Snapshot,
  signal?: AbortSignal,
): Promise<readonly KeyEarned[]> {
  const { keyed = '', earned = [] } = resource
  const tokens = sourcesByToken({ resource, where }, tokenOf, at)
  const sums = Object.fromEntries(earned.map((column) => [column, { column, as: 'amount' as const }]))
  const found: KeyEarned[] = []
  for (const [token, sources] of tokens) {
    const ofToken: readonly Predicate[] =
      tokens.size === 1 ? [] : [{ column: 'source_file', match: 'anyOf', value: sources }]
    const plan = {
      ...{ resource, sums, groupBy: [keyed], prices: new Map<string, bigint>() },
      where: [...where, ...whereKeys(resource, keys), ...ofToken],
      // Rows without a key may be one of the groups.
      ...(limit !== undefined && { greatest: { of: earned, limit: limit + 1 } }),
    }
    for (const { group, sums: own } of await engine.sums(plan, at, signal)) {
      const key = group[keyed] ?? null
      if (key === null) continue
      const all = Object.values(own).reduce((sum, part) => sum + part, 0n)
      found.push({ token, group: String(key), key: String(key), earned: all })
    }
  }
  return found
}

/** The sources that a plan may have rows of, by their tokens. */
function sourcesByToken(
  plan: CountPlan,
  tokenOf: (source: string) => string | null,
  at: Snapshot,
): ReadonlyMap<string | null, readonly string[]> {
  const range: GroupRange | undefined = groupRangeOf(plan)
  const tokens = new Map<string | null, Set<string>>()
  const groups = range === undefined ? [] : at.table(plan.resource).statistics.groups(range)
  for (const { source } of groups) {
    const token = tokenOf(source)
    tokens.set(token, (tokens.get(token) ?? new Set()).add(source))
  }
  return new Map([...tokens].map(([token, sources]) => [token, [...sources]]))
}

/** Keys by their groups: of the groups that earned most within a token, and of no known group. */
export function keysOfGreatest(
  parts: readonly KeyEarned[],
  groupOf: (key: string) => string | null,
  limit: number,
): ReadonlyMap<string | null, readonly string[]> {
  const grouped = parts.map((part) => ({ ...part, group: groupOf(part.key) }))
  const ranks = rankGroups(grouped, limit)
  const isChosen = ({ token, group }: GroupEarned) => group === null || ranks.has(groupName(token, group))
  const chosen = new Set(grouped.filter(isChosen).map(({ group }) => group))
  return keysByGroup(
    grouped.filter(({ group }) => chosen.has(group)).map(({ key }) => key),
    groupOf,
  )
}

/** Keys by their groups. */
export function keysByGroup(
  keys: Iterable<string>,
  groupOf: (key: string) => string | null,
): ReadonlyMap<string | null, readonly string[]> {
  const groups = new Map<string | null, string[]>()
  for (const key of new Set(keys)) {
    const group = groupOf(key)
    const own = groups.get(group)
    if (own === undefined) groups.set(group, [key])
    else own.push(key)
  }
  return groups
}
