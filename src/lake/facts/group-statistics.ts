import type { GroupRange } from '../../catalog/query/group-range.ts'
import type { RowRange } from '../../catalog/query/plan.ts'
import type { DataFile } from './data-file.ts'
import {
  compareGroups,
  type GroupKey,
  type GroupRows,
  type PlacedGroup,
  Series,
  type Span,
} from './series.ts'
import type { SourceInFile } from './source.ts'

interface Divided {
  readonly before: number
  readonly rows: number
  readonly ranges: readonly RowRange[]
}

interface Matching extends Span {
  readonly series: Series
}

/**
 * Counts, sums and places of the rows of a grouped table, held in the order of the table:
 * (period, type, source file). Nothing here opens a file, and no answer takes longer for a longer range.
 */
export class GroupStatistics {
  readonly #all: Series
  readonly #ofType = new Map<string, Series>()

  constructor(placed: readonly PlacedGroup[]) {
    const groups = [...placed].sort(compareGroups)
    this.#all = new Series(groups)
    for (const type of new Set(groups.map((group) => group.type))) {
      this.#ofType.set(type, new Series(groups.filter((group) => group.type === type)))
    }
  }

  static of(files: readonly DataFile[]): GroupStatistics {
    return new GroupStatistics(files.flatMap(({ sources, path }) => placeGroups(sources, path)))
  }

  count(range: GroupRange): number {
    const { series, ...span } = this.#matching(range)
    return series.rows(span)
  }

  /** Sum of each of the distinct columns over the matching groups; 0 for a column without values. */
  sums(range: GroupRange, columns: Iterable<string>): Record<string, bigint> {
    const sumOf = this.summing(range)
    return Object.fromEntries([...columns].map((column) => [column, sumOf(column)]))
  }

  /** The same, column by column. */
  summing(range: GroupRange): (column: string) => bigint {
    const { series, first, end } = this.#matching(range)
    return (column) => series.sum(column, { first, end })
  }

  /** The matching groups, in order; a source of two files may have one twice. */
  groups(range: GroupRange): readonly PlacedGroup[] {
    const { series, first, end } = this.#matching(range)
    return series.groups.slice(first, end)
  }

  /** Where the matching rows from `offset` on lie, at most `limit` of them, in order. */
  locate(range: GroupRange, offset: number, limit: number): readonly RowRange[] {
    const { series, ...span } = this.#matching(range)
    return series.locate(span, offset, limit)
  }

  /** The same rows, group by group. */
  cut(range: GroupRange, offset: number, limit: number): readonly GroupRows[] {
    const { series, ...span } = this.#matching(range)
    return series.cut(span, offset, limit)
  }

  /** The matching rows as one group divides them: how many come before it, how many are its own, and where. */
  divide(range: GroupRange, group: GroupKey): Divided {
    const { series, ...span } = this.#matching(range)
    const own = series.equalTo(group, span)
    const rows = series.rows(own)
    return {
      before: series.rowsBefore(own.first) - series.rowsBefore(span.first),
      rows,
      ranges: series.locate(own, 0, rows),
    }
  }

  /** All periods, in order. */
  get periods(): readonly bigint[] {
    return [...new Set(this.#all.groups.map((group) => group.period))]
  }

  /** Undefined when there are no rows. */
  get newestPeriod(): bigint | undefined {
    return this.#all.groups.at(-1)?.period
  }

  #matching({ from, to, type }: GroupRange): Matching {
    const series = type === undefined ? this.#all : (this.#ofType.get(type) ?? nothing)
    const { first, end } = series.within(from, to)
    return { series, first, end }
  }
}

const nothing = new Series([])

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
