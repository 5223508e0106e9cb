import { isSliceOver, nextSlice, type Steps } from '../../base/slices.ts'
import { type GroupRange, groupRangeOf } from '../../catalog/query/group-range.ts'
import { type CountPlan, type Predicate, whereKeys } from '../../catalog/query/plan.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Earned } from '../../index/keyed/list-earned.ts'
import type { Snapshot } from '../../lake/snapshot/snapshot.ts'
import { rankGroups } from './series-rank.ts'

export type KeysByGroup = ReadonlyMap<string | null, readonly string[]>

/** Keys per slice of the event loop. */
const KEYS_AT_ONCE = 1024

interface GroupedRequest {
  readonly resource: Resource
  readonly where: readonly Predicate[]
  readonly tokenOf: (source: string) => string | null
  readonly keys: readonly string[] | undefined
  /** Limit of keys per token; undefined for all. */
  readonly limit: number | undefined
}

/** Earnings by key from the engine: one statement per token of the range. */
export async function earnedByKeys(
  engine: Engine,
  { resource, where, tokenOf, keys, limit }: GroupedRequest,
  at: Snapshot,
  signal?: AbortSignal,
): Promise<readonly Earned[]> {
  const { keyed = '', earned = [] } = resource
  const tokens = sourcesByToken({ resource, where }, tokenOf, at)
  const sums = Object.fromEntries(earned.map((column) => [column, { column, as: 'amount' as const }]))
  const keyEarnings: Earned[] = []
  for (const [token, sources] of tokens) {
    const ofToken: readonly Predicate[] =
      tokens.size === 1 ? [] : [{ column: 'source_file', match: 'anyOf', value: sources }]
    const plan = {
      ...{ resource, sums, groupBy: [keyed], prices: new Map<string, bigint>() },
      where: [...where, ...whereKeys(keyed, keys), ...ofToken],
      // The group of rows without a key may be among them.
      ...(limit !== undefined && { greatest: { of: earned, limit: limit + 1 } }),
    }
    for (const { group, sums: rowSums } of await engine.sums(plan, at, signal)) {
      if (keyEarnings.length % KEYS_AT_ONCE === 0 && isSliceOver()) await nextSlice(signal)
      const key = group[keyed] ?? null
      if (key === null) continue
      const total = Object.values(rowSums).reduce((sum, part) => sum + part, 0n)
      keyEarnings.push({ token, key: String(key), earned: total })
    }
  }
  return keyEarnings
}

/** Sources of a plan by token. */
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

/** Keys by group: the groups with the greatest earnings per token, and the unknown group. */
export function* keysOfGreatest(
  parts: readonly Earned[],
  groupOf: (key: string) => string | null,
  limit: number,
): Steps<KeysByGroup> {
  const grouped: (Earned & { readonly group: string | null })[] = []
  for (const { token, key, earned } of parts) {
    grouped.push({ token, group: groupOf(key), earned, key })
    if (grouped.length % KEYS_AT_ONCE === 0) yield
  }
  const ranks = yield* rankGroups(grouped, limit, (group) => group)
  const chosen = new Set<string | null>([
    null,
    ...[...ranks.values()].flatMap((groups) => [...groups.keys()]),
  ])
  function* keys() {
    for (const { group, key } of grouped) if (chosen.has(group)) yield key
  }
  return yield* keysByGroup(keys(), groupOf)
}

export function* keysByGroup(
  keys: Iterable<string>,
  groupOf: (key: string) => string | null,
): Steps<KeysByGroup> {
  const groups = new Map<string | null, string[]>()
  const seen = new Set<string>()
  for (const key of keys) {
    if (seen.has(key)) continue
    seen.add(key)
    if (seen.size % KEYS_AT_ONCE === 0) yield
    const group = groupOf(key)
    const groupEarned = groups.get(group)
    if (groupEarned === undefined) groups.set(group, [key])
    else groupEarned.push(key)
  }
  return groups
}
