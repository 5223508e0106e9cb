import type { Resource } from '../catalog/resource.ts'
import { decimalsOf, USD_DECIMALS } from '../derive/series-record.ts'
import { compareBytes } from '../lake/source.ts'

/** Sums of the rows of one source and period that are in one group, in the order of the sums that are declared. */
export interface Cell {
  readonly source: string
  readonly period: bigint
  readonly group: string | null
  readonly sums: readonly bigint[]
}

/** What a source and a period say: where they stand in the series, and what an amount of them is. */
export interface CellFacts {
  readonly start: string | null
  readonly token: string | null
  /** USD of a whole token, times ten to the number of its decimals; null when it is unknown or 0. */
  readonly price: bigint | null
}

/** A row of a series. */
export interface SeriesRow {
  readonly start: string | null
  readonly token: string | null
  readonly group: string | null
  readonly sums: readonly bigint[]
  readonly earned: bigint
  /** In units of 10^-16 USD; null when something was earned at an unknown price. */
  readonly usd: bigint | null
}

/** Adds up what a hotspot was paid, out of the sums of a cell. */
function earnedOf({ series, earned = [] }: Resource): (sums: readonly bigint[]) => bigint {
  const members = Object.values(series?.sums ?? {})
  const places = earned.map((column) => members.indexOf(column))
  return (sums) => places.reduce((sum, place) => sum + (sums[place] ?? 0n), 0n)
}

interface Growing {
  readonly start: string | null
  readonly token: string | null
  readonly group: string | null
  readonly sums: bigint[]
  earned: bigint
  usd: bigint | null
}

/** Rows of a series out of cells; amounts of different tokens are never added. */
export function foldCells(
  resource: Resource,
  cells: Iterable<Cell>,
  factsOf: (source: string, period: bigint) => CellFacts,
): readonly SeriesRow[] {
  const earnedIn = earnedOf(resource)
  const rows = new Map<string, Growing>()
  for (const { source, period, group, sums } of cells) {
    const { start, token, price } = factsOf(source, period)
    // A null is no text, so it is told from an empty one.
    const name = `${start}\0${token}\0${group === null ? '' : `=${group}`}`
    let row = rows.get(name)
    if (row === undefined) {
      row = { start, token, group, sums: sums.map(() => 0n), earned: 0n, usd: 0n }
      rows.set(name, row)
    }
    for (let place = 0; place < sums.length; place += 1)
      row.sums[place] = (row.sums[place] ?? 0n) + (sums[place] ?? 0n)
    const earned = earnedIn(sums)
    row.earned += earned
    if (earned > 0n && row.usd !== null) row.usd = usdOf(earned, token, price, row.usd)
  }
  return [...rows.values()]
}

function usdOf(earned: bigint, token: string | null, price: bigint | null, before: bigint): bigint | null {
  const decimals = decimalsOf(token)
  if (decimals === undefined || price === null) return null
  return before + earned * price * 10n ** BigInt(USD_DECIMALS - 2 * decimals)
}

/** Names a group within a token. */
export const groupName = (token: string | null, group: string | null) => `${token}\0${group}`

/**
 * The rows of the groups that earned most within their token over the whole series, and of the group null; by start, then
 * token, then the greatest first.
 */
export function rankRows(rows: readonly SeriesRow[], limit: number): readonly SeriesRow[] {
  const ranks = rankGroups(
    rows.map(({ token, group, earned }) => ({ token, group, earned })),
    limit,
  )
  const rankOf = ({ token, group }: SeriesRow) =>
    group === null ? Number.MAX_SAFE_INTEGER : ranks.get(groupName(token, group))
  return rows
    .flatMap((row) => {
      const rank = rankOf(row)
      return rank === undefined ? [] : [{ row, rank }]
    })
    .sort(
      (a, b) =>
        compareBytes(a.row.start ?? '', b.row.start ?? '') ||
        compareBytes(a.row.token ?? '', b.row.token ?? '') ||
        a.rank - b.rank,
    )
    .map(({ row }) => row)
}

/** What a group earned, or a part of it. */
export interface GroupEarned {
  readonly token: string | null
  readonly group: string | null
  readonly earned: bigint
}

/** By `groupName`, the place of the groups that earned most within their token; of equal ones the first by its bytes. */
export function rankGroups(parts: Iterable<GroupEarned>, limit: number): ReadonlyMap<string, number> {
  const tokens = new Map<string | null, Map<string, bigint>>()
  for (const { token, group, earned } of parts) {
    if (group === null) continue
    const groups = tokens.get(token) ?? new Map<string, bigint>()
    tokens.set(token, groups)
    groups.set(group, (groups.get(group) ?? 0n) + earned)
  }
  const ranks = new Map<string, number>()
  for (const [token, groups] of tokens) {
    const sorted = [...groups].sort(([a, x], [b, y]) => (x === y ? compareBytes(a, b) : x > y ? -1 : 1))
    for (const [rank, [group]] of sorted.slice(0, limit).entries()) ranks.set(groupName(token, group), rank)
  }
  return ranks
}
