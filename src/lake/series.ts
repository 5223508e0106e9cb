import type { RowRange } from '../query/plan.ts'
import { firstPlace } from './first-place.ts'
import { joinRanges } from './join-ranges.ts'
import { compareBytes, type Group } from './source.ts'

/** A group and where its rows lie. */
export interface PlacedGroup extends Group {
  readonly source: string
  readonly file: string
  readonly first: number
}

/** What the rows of a group have in common. */
export type GroupKey = Pick<PlacedGroup, 'end_period' | 'reward_type' | 'source'>

/** Rows of one group that lie together. */
export interface GroupRows extends RowRange {
  readonly group: GroupKey
}

/** A stretch of groups that follow each other; `end` is the one after the last. */
export interface Stretch {
  readonly first: number
  readonly end: number
}

/**
 * Groups in the order of their table, with what comes before each of them: a count or a sum over any stretch is one
 * subtraction, and a row is found by halving.
 */
export class Series {
  readonly groups: readonly PlacedGroup[]
  /** Rows before each group, and before the end. */
  readonly #rowsBefore: readonly number[]
  /** The same for the sum of a column. */
  readonly #sumsBefore = new Map<string, readonly bigint[]>()

  /** `groups` are in order already. */
  constructor(groups: readonly PlacedGroup[]) {
    this.groups = groups
    const rowsBefore = [0]
    for (const group of groups) rowsBefore.push((rowsBefore.at(-1) ?? 0) + group.rows)
    this.#rowsBefore = rowsBefore
  }

  /** The groups of periods from `from` to `to`, both included. */
  within(from: bigint, to: bigint): Stretch {
    const first = this.#firstOf(({ end_period }) => end_period >= from)
    return {
      first,
      end: Math.max(
        first,
        this.#firstOf(({ end_period }) => end_period > to),
      ),
    }
  }

  /** Of a stretch, what is one group; sources of two files may both have it. */
  equalTo(group: GroupKey, { first, end }: Stretch): Stretch {
    const inside = (place: number) => Math.min(Math.max(place, first), end)
    return {
      first: inside(this.#firstOf((own) => compareGroups(own, group) >= 0)),
      end: inside(this.#firstOf((own) => compareGroups(own, group) > 0)),
    }
  }

  rows({ first, end }: Stretch): number {
    return this.rowsBefore(end) - this.rowsBefore(first)
  }

  rowsBefore(place: number): number {
    return this.#rowsBefore[place] ?? 0
  }

  sum(column: string, { first, end }: Stretch): bigint {
    const before = this.#sumsBefore.get(column) ?? this.#addUp(column)
    return (before[end] ?? 0n) - (before[first] ?? 0n)
  }

  /** Where the rows of a stretch lie from `offset` on, at most `limit` of them, in order. */
  locate(stretch: Stretch, offset: number, limit: number): readonly RowRange[] {
    return joinRanges(this.cut(stretch, offset, limit))
  }

  /** The same rows, group by group. */
  cut({ first, end }: Stretch, offset: number, limit: number): readonly GroupRows[] {
    const from = this.rowsBefore(first) + offset
    const to = Math.min(from + limit, this.rowsBefore(end))
    const cut: GroupRows[] = []
    for (let place = this.#groupOfRow(from); place < end && this.rowsBefore(place) < to; place += 1) {
      const group = this.groups[place] as PlacedGroup
      const before = this.rowsBefore(place)
      cut.push({
        group,
        file: group.file,
        first: group.first + Math.max(0, from - before),
        end: group.first + Math.min(group.rows, to - before),
      })
    }
    return cut
  }

  #addUp(column: string): readonly bigint[] {
    const before = [0n]
    let sum = 0n
    for (const { sums } of this.groups) {
      sum += sums[column] ?? 0n
      before.push(sum)
    }
    this.#sumsBefore.set(column, before)
    return before
  }

  #groupOfRow(row: number): number {
    return firstPlace(this.groups.length, (place) => this.rowsBefore(place + 1) > row)
  }

  #firstOf(isThere: (group: PlacedGroup) => boolean): number {
    return firstPlace(this.groups.length, (place) => isThere(this.groups[place] as PlacedGroup))
  }
}

export function compareGroups(a: GroupKey, b: GroupKey): number {
  if (a.end_period !== b.end_period) return a.end_period < b.end_period ? -1 : 1
  if (a.reward_type !== b.reward_type) return compareBytes(a.reward_type, b.reward_type)
  return compareBytes(a.source, b.source)
}
