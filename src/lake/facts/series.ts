import { firstAtLeast, firstPlace } from '../../base/values/first-place.ts'
import { itemAt } from '../../base/values/item-at.ts'
import { joinRanges } from '../../catalog/query/join-ranges.ts'
import type { RowRange } from '../../catalog/query/plan.ts'
import type { Resource } from '../../catalog/resource.ts'
import { compareBytes, type Group } from './source.ts'

/** A group and where its rows lie. */
export interface PlacedGroup extends Group {
  readonly source: string
  readonly file: string
  readonly first: number
}

/** What tells a group from others. */
export type GroupKey = Pick<PlacedGroup, 'period' | 'type' | 'source'>

/** The columns whose values all rows of a group share, and where the group has each; none for a table without groups. */
export function groupColumns({ statistics }: Resource): Readonly<Record<string, keyof GroupKey>> {
  if (statistics === undefined) return {}
  return { [statistics.period]: 'period', [statistics.type]: 'type', source_file: 'source' }
}

/** Rows of one group that lie together. */
export interface GroupRows extends RowRange {
  readonly group: GroupKey
}

/** Groups that follow each other; `end` is the one after the last. */
export interface Span {
  readonly first: number
  readonly end: number
}

/**
 * Groups in the order of their table, with what comes before each of them: a count or a sum over any span is one
 * subtraction, and a row is found by halving.
 */
export class Series {
  readonly groups: readonly PlacedGroup[]
  readonly #periods: readonly bigint[]
  /** Rows before each group, and before the end. */
  readonly #rowsBefore: readonly number[]
  /** The same for the sum of a column. */
  readonly #sumsBefore = new Map<string, readonly bigint[]>()

  /** `groups` are in order already. */
  constructor(groups: readonly PlacedGroup[]) {
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

  /** The groups of periods from `from` to `to`, both included. */
  within(from: bigint, to: bigint): Span {
    const first = firstAtLeast(this.#periods, from)
    return { first, end: Math.max(first, firstAtLeast(this.#periods, to + 1n)) }
  }

  /** The part of a span whose groups have this key; rows of two files may have the same one. */
  equalTo(group: GroupKey, { first, end }: Span): Span {
    const inside = (place: number) => Math.min(Math.max(place, first), end)
    return {
      first: inside(this.#firstOf((own) => compareGroups(own, group) >= 0)),
      end: inside(this.#firstOf((own) => compareGroups(own, group) > 0)),
    }
  }

  rows({ first, end }: Span): number {
    return this.rowsBefore(end) - this.rowsBefore(first)
  }

  rowsBefore(place: number): number {
    return itemAt(this.#rowsBefore, place)
  }

  sum(column: string, { first, end }: Span): bigint {
    const before = this.#sumsBefore.get(column) ?? this.#addUp(column)
    return itemAt(before, end) - itemAt(before, first)
  }

  /** Where the rows of a span lie from `offset` on, at most `limit` of them, in order. */
  locate(span: Span, offset: number, limit: number): readonly RowRange[] {
    return joinRanges(this.cut(span, offset, limit))
  }

  /** The same rows, group by group. */
  cut({ first, end }: Span, offset: number, limit: number): readonly GroupRows[] {
    const from = this.rowsBefore(first) + offset
    const to = Math.min(from + limit, this.rowsBefore(end))
    const cut: GroupRows[] = []
    for (let place = this.#groupOfRow(from); place < end && this.rowsBefore(place) < to; place += 1) {
      const group = itemAt(this.groups, place)
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
    return firstPlace(this.groups.length, (place) => isThere(itemAt(this.groups, place)))
  }
}

export function compareGroups(a: GroupKey, b: GroupKey): number {
  if (a.period !== b.period) return a.period < b.period ? -1 : 1
  if (a.type !== b.type) return compareBytes(a.type, b.type)
  return compareBytes(a.source, b.source)
}
