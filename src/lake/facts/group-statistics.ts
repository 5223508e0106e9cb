import { groupBy } from '../../base/maps.ts'
import type { GroupRange } from '../../catalog/query/group-range.ts'
import type { RowRange } from '../../catalog/query/plan.ts'
import type { DataFile } from './data-file.ts'
import {
  compareGroups,
  type GroupKey,
  type GroupRows,
  GroupSeries,
  type GroupSpan,
  type LocatedGroup,
} from './group-series.ts'
import type { SourceInFile } from './source.ts'

interface Divided {
  readonly before: number
  readonly rows: number
  readonly ranges: readonly RowRange[]
}

interface Matching extends GroupSpan {
  readonly series: GroupSeries
}

/**
 * Counts, sums and row numbers of the groups of a table, in its order: (period, type, source file). Lookups open no
 * file, and their time does not depend on the length of the range.
 */
export class GroupStatistics {
  readonly #all: GroupSeries
  readonly #byType = new Map<string, GroupSeries>()

  constructor(located: readonly LocatedGroup[]) {
    const groups = [...located].sort(compareGroups)
    this.#all = new GroupSeries(groups)
    for (const [type, groupsOfType] of groupBy(groups, (group) => group.type))
      this.#byType.set(type, new GroupSeries(groupsOfType))
  }

  static of(files: readonly DataFile[]): GroupStatistics {
    return new GroupStatistics(files.flatMap(({ sources, path }) => locateGroups(sources, path)))
  }

  count(range: GroupRange): number {
    const { series, ...span } = this.#matching(range)
    return series.rows(span)
  }

  /** Sums each column over the matching groups; 0 for a column without values. */
  sums(range: GroupRange, columns: Iterable<string>): Record<string, bigint> {
    const sumOf = this.summing(range)
    return Object.fromEntries([...columns].map((column) => [column, sumOf(column)]))
  }

  /** Returns a function that sums one column over the matching groups. */
  summing(range: GroupRange): (column: string) => bigint {
    const { series, first, end } = this.#matching(range)
    return (column) => series.sum(column, { first, end })
  }

  /** Returns the matching groups, in order. A source in two files may have a group twice. */
  groups(range: GroupRange): readonly LocatedGroup[] {
    const { series, first, end } = this.#matching(range)
    return series.groups.slice(first, end)
  }

  /** Locates at most `limit` matching rows from `offset`, in order. */
  locate(range: GroupRange, offset: number, limit: number): readonly RowRange[] {
    const { series, ...span } = this.#matching(range)
    return series.locate(span, offset, limit)
  }

  /** Locates the same rows, one range per group. */
  cut(range: GroupRange, offset: number, limit: number): readonly GroupRows[] {
    const { series, ...span } = this.#matching(range)
    return series.cut(span, offset, limit)
  }

  /** Counts the matching rows before a group, and counts and locates the rows of the group. */
  divide(range: GroupRange, group: GroupKey): Divided {
    const { series, ...span } = this.#matching(range)
    const groupSpan = series.equalTo(group, span)
    const rows = series.rows(groupSpan)
    return {
      before: series.rowsBefore(groupSpan.first) - series.rowsBefore(span.first),
      rows,
      ranges: series.locate(groupSpan, 0, rows),
    }
  }

  /** Distinct periods, ascending. */
  get periods(): readonly bigint[] {
    return [...new Set(this.#all.groups.map((group) => group.period))]
  }

  get newestPeriod(): bigint | undefined {
    return this.#all.groups.at(-1)?.period
  }

  #matching({ from, to, type }: GroupRange): Matching {
    const series = type === undefined ? this.#all : (this.#byType.get(type) ?? emptySeries)
    const { first, end } = series.within(from, to)
    return { series, first, end }
  }
}

const emptySeries = new GroupSeries([])

/** Assigns row numbers to the groups of a file. A file is sorted in table order, so its groups have no gaps. */
export function locateGroups(sources: readonly SourceInFile[], file: string): readonly LocatedGroup[] {
  const groups = sources
    .flatMap((source) => source.groups.map((group) => ({ ...group, source: source.name, file })))
    .sort(compareGroups)
  let first = 0
  return groups.map((group) => {
    const located = { ...group, first }
    first += group.rows
    return located
  })
}
