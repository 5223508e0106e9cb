import type { GroupRange } from '../query/group-range.ts'
import type { RowRange } from '../query/plan.ts'
import type { DataFile } from './data-file.ts'
import {
  compareGroups,
  type GroupKey,
  type GroupRows,
  type PlacedGroup,
  Series,
  type Stretch,
} from './series.ts'
import type { SourceInFile } from './source.ts'

interface Divided {
  readonly before: number
  readonly rows: number
  readonly ranges: readonly RowRange[]
}

interface Matching extends Stretch {
  readonly series: Series
}

/**
 * Counts, sums and places of the rows of a grouped table, held in the order of the table:
 * (end_period, reward_type, source file). Nothing here opens a file, and no answer takes longer for a longer range.
 */
export class GroupStatistics {
  readonly #all: Series
  readonly #ofType = new Map<string, Series>()

  constructor(placed: readonly PlacedGroup[]) {
    const groups = [...placed].sort(compareGroups)
    this.#all = new Series(groups)
    for (const type of new Set(groups.map((group) => group.reward_type))) {
      this.#ofType.set(type, new Series(groups.filter((group) => group.reward_type === type)))
    }
  }

  static of(files: readonly DataFile[]): GroupStatistics {
    return new GroupStatistics(files.flatMap(({ sources, path }) => placeGroups(sources, path)))
  }

  count(range: GroupRange): number {
    const { series, ...stretch } = this.#matching(range)
    return series.rows(stretch)
  }

  /** Sum of each of the distinct columns over the matching groups; 0 for a column without values. */
  sums(range: GroupRange, columns: Iterable<string>): Record<string, bigint> {
    const { series, ...stretch } = this.#matching(range)
    return Object.fromEntries([...columns].map((column) => [column, series.sum(column, stretch)]))
  }

  /** Where the matching rows from `offset` on lie, at most `limit` of them, in order. */
  locate(range: GroupRange, offset: number, limit: number): readonly RowRange[] {
    const { series, ...stretch } = this.#matching(range)
    return series.locate(stretch, offset, limit)
  }

  /** The same rows, group by group. */
  cut(range: GroupRange, offset: number, limit: number): readonly GroupRows[] {
    const { series, ...stretch } = this.#matching(range)
    return series.cut(stretch, offset, limit)
  }

  /** The matching rows as one group divides them: how many come before it, how many are its own, and where. */
  divide(range: GroupRange, group: GroupKey): Divided {
    const { series, ...stretch } = this.#matching(range)
    const own = series.equalTo(group, stretch)
    const rows = series.rows(own)
    return {
      before: series.rowsBefore(own.first) - series.rowsBefore(stretch.first),
      rows,
      ranges: series.locate(own, 0, rows),
    }
  }

  /** All values of end_period, in order. */
  get periods(): readonly bigint[] {
    return [...new Set(this.#all.groups.map((group) => group.end_period))]
  }

  /** Undefined when there are no rows. */
  get newestPeriod(): bigint | undefined {
    return this.#all.groups.at(-1)?.end_period
  }

  #matching({ from, to, rewardType }: GroupRange): Matching {
    const series = rewardType === undefined ? this.#all : (this.#ofType.get(rewardType) ?? nothing)
    return { series, ...series.within(from, to) }
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
