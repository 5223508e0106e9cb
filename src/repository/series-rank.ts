import { compareBytes } from '../lake/source.ts'
import { type Steps, sortSteps } from '../slices.ts'
import type { SeriesFold, SeriesRow } from './series-fold.ts'

/** Earnings of a group, or a part of them. */
export interface GroupEarned {
  readonly token: string | null
  readonly group: string | null
  readonly earned: bigint
}

/** Parts are added so many at a time before other requests have their turn. */
const PARTS_AT_ONCE = 1024

/**
 * The rows of the groups that earned most within their token over the whole series, and of the group null; by start, then
 * token, then the greatest first.
 */
export function* rankRows({ starts }: SeriesFold, limit: number): Steps<readonly SeriesRow[]> {
  const ranks = yield* rankGroups(rowsOf(starts.values()), limit)
  const ranked: SeriesRow[] = []
  for (const [, tokens] of byName(starts)) {
    for (const [token, rows] of byName(tokens)) {
      const withRank = [...rows.values()].flatMap((row) => {
        const rank = row.group === null ? Number.MAX_SAFE_INTEGER : ranks.get(token)?.get(row.group)
        return rank === undefined ? [] : [{ row, rank }]
      })
      for (const { row } of withRank.sort((a, b) => a.rank - b.rank)) ranked.push(row)
      yield
    }
  }
  return ranked
}

function* rowsOf(starts: Iterable<ReadonlyMap<string | null, ReadonlyMap<string | null, SeriesRow>>>) {
  for (const tokens of starts) for (const rows of tokens.values()) yield* rows.values()
}

/** Entries in the order of their names; null is first, as empty text is. */
function byName<T>(named: ReadonlyMap<string | null, T>): readonly (readonly [string | null, T])[] {
  return [...named].sort(([a], [b]) => compareBytes(a ?? '', b ?? ''))
}

/** By token and group, the place of the groups that earned most within their token; of equal ones the first by its bytes. */
export function* rankGroups(
  parts: Iterable<GroupEarned>,
  limit: number,
): Steps<ReadonlyMap<string | null, ReadonlyMap<string, number>>> {
  const tokens = new Map<string | null, Map<string, bigint>>()
  let added = 0
  for (const { token, group, earned } of parts) {
    added += 1
    if (added % PARTS_AT_ONCE === 0) yield
    if (group === null) continue
    let groups = tokens.get(token)
    if (groups === undefined) {
      groups = new Map()
      tokens.set(token, groups)
    }
    groups.set(group, (groups.get(group) ?? 0n) + earned)
  }
  const ranks = new Map<string | null, ReadonlyMap<string, number>>()
  for (const [token, groups] of tokens) {
    const sorted = yield* sortSteps([...groups], ([a, x], [b, y]) =>
      x === y ? compareBytes(a, b) : x > y ? -1 : 1,
    )
    ranks.set(token, new Map(sorted.slice(0, limit).map(([group], rank) => [group, rank])))
  }
  return ranks
}
