import { type Steps, sortSteps } from '../../base/slices.ts'
import { ExactSums, type Whole } from '../../base/values/exact-sums.ts'
import { compareBytes } from '../../lake/facts/source.ts'
import type { SeriesFold } from './series-fold.ts'
import { SeriesRows } from './series-rows.ts'

/** Parts per slice of the event loop. */
const PARTS_AT_ONCE = 1024

/** Above the row limit. A rank times this plus a row number is an exact double. */
const MOST_ROWS = 2 ** 26

/**
 * Returns the rows of the groups with the greatest earnings per token, and of the group null: by start, token, and
 * earnings descending.
 */
export function* rankRows(fold: SeriesFold, limit: number): Steps<SeriesRows> {
  const { columns } = fold
  const tokenRows = [...fold.tokens()].sort((a, b) => byName(a.start, b.start) || byName(a.token, b.token))
  const nameOf = (group: number) => columns.nameOfGroup(group)
  function* parts() {
    for (const { token, rows } of tokenRows)
      for (const [group, row] of rows) yield { token, group, earned: columns.earnedOf(row) }
  }
  const ranks = yield* rankGroups(parts(), limit, nameOf)
  const order: number[] = []
  for (const { token, rows } of tokenRows) {
    const ofToken = ranks.get(token)
    const ranked: number[] = []
    for (const [group, row] of rows) {
      const rank = ofToken?.get(group) ?? (nameOf(group) === null ? MOST_ROWS : undefined)
      if (rank !== undefined) ranked.push(rank * MOST_ROWS + row)
    }
    // A typed array sorts several times faster without a comparison function.
    for (const packed of Float64Array.from(ranked).sort()) order.push(packed % MOST_ROWS)
    yield
  }
  return new SeriesRows(columns, order)
}

/** Null sorts first, like empty text. */
function byName(a: string | null, b: string | null): number {
  return compareBytes(a ?? '', b ?? '')
}

interface Part<Group> {
  readonly token: string | null
  readonly group: Group
  readonly earned: Whole
}

interface Summed<Group> {
  readonly numbers: Map<Group, number>
  readonly earned: ExactSums
}

/**
 * Ranks the groups with the greatest earnings per token; ties sort by the bytes of the name. A group without a name
 * has no rank.
 */
export function* rankGroups<Group>(
  parts: Iterable<Part<Group>>,
  limit: number,
  nameOf: (group: Group) => string | null,
): Steps<ReadonlyMap<string | null, ReadonlyMap<Group, number>>> {
  const tokens = new Map<string | null, Summed<Group>>()
  let added = 0
  for (const { token, group, earned } of parts) {
    added += 1
    if (added % PARTS_AT_ONCE === 0) yield
    let summed = tokens.get(token)
    if (summed === undefined) {
      summed = { numbers: new Map(), earned: new ExactSums() }
      tokens.set(token, summed)
    }
    let number = summed.numbers.get(group)
    if (number === undefined) {
      if (nameOf(group) === null) continue
      number = summed.numbers.size
      summed.numbers.set(group, number)
    }
    summed.earned.add(number, earned)
  }
  const ranks = new Map<string | null, ReadonlyMap<Group, number>>()
  for (const [token, { numbers, earned }] of tokens) {
    const named = Array.from(numbers, ([group, number]) => ({
      group,
      name: nameOf(group) ?? '',
      earned: earned.at(number),
    }))
    const sorted = yield* sortSteps(named, (a, b) =>
      a.earned === b.earned ? compareBytes(a.name, b.name) : a.earned > b.earned ? -1 : 1,
    )
    ranks.set(token, new Map(sorted.slice(0, limit).map(({ group }, rank) => [group, rank])))
  }
  return ranks
}
