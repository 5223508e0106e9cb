import type { GroupRange } from '../query/group-range.ts'
import type { RowRange } from '../query/plan.ts'
import type { DataFile } from './data-file.ts'
import { compareBytes, type Group, type SourceInFile } from './source.ts'

/** A group and where its rows lie. */
interface PlacedGroup extends Group {
  readonly source: string
  readonly file: string
  readonly first: number
}

/** What the rows of a group have in common. */
type GroupKey = Pick<PlacedGroup, 'end_period' | 'reward_type' | 'source'>

interface Divided {
  readonly before: number
  readonly rows: number
  readonly ranges: readonly RowRange[]
}

/**
 * Counts, sums and places of the rows of a tallied table, held in the order of the table:
 * (end_period, reward_type, source file). Nothing here opens a file.
 */
export class Tally {
  readonly #groups: readonly PlacedGroup[]

  constructor(files: readonly DataFile[]) {
    this.#groups = files.flatMap(({ sources, path }) => placeGroups(sources, path)).sort(compareGroups)
  }

  count(range: GroupRange): number {
    return countRows(this.#matching(range))
  }

  /** Sum of each of the distinct columns over the matching groups; 0 for a column without values. */
  sums(range: GroupRange, columns: Iterable<string>): Record<string, bigint> {
    const matching = this.#matching(range)
    const sumOf = (column: string) => matching.reduce((sum, group) => sum + (group.sums[column] ?? 0n), 0n)
    return Object.fromEntries([...columns].map((column) => [column, sumOf(column)]))
  }

  /** Where the matching rows from `offset` on lie, at most `limit` of them, in order. */
  locate(range: GroupRange, offset: number, limit: number): readonly RowRange[] {
    const ranges: RowRange[] = []
    let skip = offset
    let left = limit
    for (const group of this.#matching(range)) {
      if (left === 0) break
      if (skip >= group.rows) {
        skip -= group.rows
        continue
      }
      const first = group.first + skip
      const end = Math.min(group.first + group.rows, first + left)
      appendRange(ranges, { file: group.file, first, end })
      left -= end - first
      skip = 0
    }
    return ranges
  }

  /** The matching rows as one group divides them: how many come before it, how many are its own, and where. */
  divide(range: GroupRange, group: GroupKey): Divided {
    const matching = this.#matching(range)
    const end = matching.findIndex((own) => compareGroups(own, group) > 0)
    const upTo = end < 0 ? matching : matching.slice(0, end)
    const own = upTo.filter((candidate) => compareGroups(candidate, group) === 0)
    const rows = countRows(own)
    const ranges: RowRange[] = []
    for (const { file, first, rows } of own) appendRange(ranges, { file, first, end: first + rows })
    return { before: countRows(upTo) - rows, rows, ranges }
  }

  /** First and last end_period, and all of them. */
  get periods(): readonly bigint[] {
    return [...new Set(this.#groups.map((group) => group.end_period))]
  }

  #matching({ from, to, rewardType }: GroupRange): readonly PlacedGroup[] {
    const first = lowerBound(this.#groups, from)
    const end = lowerBound(this.#groups, to + 1n)
    const inRange = this.#groups.slice(first, end)
    return rewardType === undefined ? inRange : inRange.filter((group) => group.reward_type === rewardType)
  }
}

/** A file is sorted in the order of the table, so its groups follow each other without gaps. */
export function placeGroups(sources: readonly SourceInFile[], file: string): readonly PlacedGroup[] {
  const groups = sources
    .flatMap((source) => source.groups.map((group) => ({ ...group, source: source.name, file })))
    .sort(compareGroups)
  let first = 0
  return groups.map((group) => {
    const placed = { ...group, first }
    first += group.rows
    return placed
  })
}

function countRows(groups: readonly Group[]): number {
  return groups.reduce((count, group) => count + group.rows, 0)
}

function compareGroups(a: GroupKey, b: GroupKey): number {
  if (a.end_period !== b.end_period) return a.end_period < b.end_period ? -1 : 1
  if (a.reward_type !== b.reward_type) return compareBytes(a.reward_type, b.reward_type)
  return compareBytes(a.source, b.source)
}

/** Ranges that touch become one, so that a page mostly reads one stretch of one file. */
function appendRange(ranges: RowRange[], next: RowRange): void {
  const last = ranges.at(-1)
  if (last?.file === next.file && last.end === next.first)
    ranges[ranges.length - 1] = { ...last, end: next.end }
  else ranges.push(next)
}

function lowerBound(groups: readonly PlacedGroup[], period: bigint): number {
  let low = 0
  let high = groups.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((groups[middle]?.end_period ?? 0n) < period) low = middle + 1
    else high = middle
  }
  return low
}
