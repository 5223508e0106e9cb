import { firstAtLeast, firstIndex } from '../../base/values/first-index.ts'
import { itemAt } from '../../base/values/item-at.ts'
import { joinRanges } from '../../catalog/query/join-ranges.ts'
import type { RowRange } from '../../catalog/query/plan.ts'
import type { Resource } from '../../catalog/resource.ts'
import { compareBytes, type Group } from './source.ts'

/** A group and the position of its first row. */
export interface LocatedGroup extends Group {
  readonly source: string
  readonly file: string
  readonly first: number
}

/** Identity of a group. */
export type GroupKey = Pick<LocatedGroup, 'period' | 'type' | 'source'>

/** Maps columns that are constant in a group to members of its key; empty for a table without groups. */
export function groupColumns({ statistics }: Resource): Readonly<Record<string, keyof GroupKey>> {
  if (statistics === undefined) return {}
  return { [statistics.period]: 'period', [statistics.type]: 'type', source_file: 'source' }
}

/** Consecutive rows of one group. */
export interface GroupRows extends RowRange {
  readonly group: GroupKey
}

/** Consecutive groups, from `first` up to but not including `end`. */
export interface GroupSpan {
  readonly first: number
  readonly end: number
}

/**
 * Groups in table order with prefix sums: a count or sum over a span is one subtraction, and a binary search finds
 * a row.
 */
export class GroupSeries {
  readonly groups: readonly LocatedGroup[]
  readonly #periods: readonly bigint[]
  /** Rows before each group, and before the end. */
  readonly #rowsBefore: readonly number[]
  /** Sum of a column before each group, and before the end. */
  readonly #sumsBefore = new Map<string, readonly bigint[]>()

  /** `groups` must be in table order. */
  constructor(groups: readonly LocatedGroup[]) {
    this.groups = groups
    this.#periods = groups.map(({ period }) => period)
    let before = 0
    const rowsBefore = [before]
    for (const { rows } of groups) {
      before += rows
      rowsBefore.push(before)
    }
    this.#rowsBefore = rowsBefore
  }

  /** Finds the groups of periods from `from` to `to`, both included. */
  within(from: bigint, to: bigint): GroupSpan {
    const first = firstAtLeast(this.#periods, from)
    return { first, end: Math.max(first, firstAtLeast(this.#periods, to + 1n)) }
  }

  /** Finds the groups of a span with this key; each of two files may have one. */
  equalTo(group: GroupKey, { first, end }: GroupSpan): GroupSpan {
    const clamp = (index: number) => Math.min(Math.max(index, first), end)
    return {
      first: clamp(this.#findFirst((other) => compareGroups(other, group) >= 0)),
      end: clamp(this.#findFirst((other) => compareGroups(other, group) > 0)),
    }
  }

  rows({ first, end }: GroupSpan): number {
    return this.rowsBefore(end) - this.rowsBefore(first)
  }

  rowsBefore(index: number): number {
    return itemAt(this.#rowsBefore, index)
  }

  sum(column: string, { first, end }: GroupSpan): bigint {
    const before = this.#sumsBefore.get(column) ?? this.#addUp(column)
    return itemAt(before, end) - itemAt(before, first)
  }

  /** Locates at most `limit` rows of a span from `offset`, in order. */
  locate(span: GroupSpan, offset: number, limit: number): readonly RowRange[] {
    return joinRanges(this.cut(span, offset, limit))
  }

  /** Locates the same rows, one range per group. */
  cut({ first, end }: GroupSpan, offset: number, limit: number): readonly GroupRows[] {
    const from = this.rowsBefore(first) + offset
    const to = Math.min(from + limit, this.rowsBefore(end))
    const cut: GroupRows[] = []
    for (let index = this.#findGroupOf(from); index < end && this.rowsBefore(index) < to; index += 1) {
      const group = itemAt(this.groups, index)
      const before = this.rowsBefore(index)
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

  #findGroupOf(row: number): number {
    return firstIndex(this.groups.length, (index) => this.rowsBefore(index + 1) > row)
  }

  #findFirst(isReached: (group: LocatedGroup) => boolean): number {
    return firstIndex(this.groups.length, (index) => isReached(itemAt(this.groups, index)))
  }
}

export function compareGroups(a: GroupKey, b: GroupKey): number {
  if (a.period !== b.period) return a.period < b.period ? -1 : 1
  if (a.type !== b.type) return compareBytes(a.type, b.type)
  return compareBytes(a.source, b.source)
}
