import { dateOf, epochsWithin } from '../../base/values/epoch-day.ts'
import { firstAtLeast } from '../../base/values/first-index.ts'
import { FIRST_INSTANT, LAST_INSTANT, writeInstant } from '../../base/values/instant.ts'
import type { TableSnapshot } from '../../lake/snapshot/snapshot.ts'
import { gatherEpochs, type ManifestOfFiles, type TableEpoch } from './epochs.ts'

/** Ends of periods in microseconds since 1970, both included. */
export interface EndsOfPeriods {
  readonly from: bigint
  readonly to: bigint
}

/** Number of incomplete or absent epochs, and of epochs with a file that no manifest names. */
export interface Missing {
  readonly days: number
  readonly manifests: number
}

/** Consecutive epochs, as dates. */
export type EpochRun = { readonly first: string; readonly last: string; readonly days: number }

/** A count, and the first names. */
export type FewNames = { readonly count: number; readonly names: readonly string[] }

/**
 * Completeness of a table over a range. A member is null if it cannot be computed: no manifest names the files of the
 * ledger archive.
 */
export type Coverage = {
  readonly from: string
  readonly to: string
  readonly epochs: {
    readonly expected: number
    readonly present: number
    /** The last epoch of the table, regardless of the range. */
    readonly newest: string | null
    readonly missing: readonly EpochRun[]
    readonly incomplete: readonly EpochRun[] | null
    readonly late: readonly EpochRun[] | null
    /** Days with files that a manifest names and this program cannot read. */
    readonly unreadable: readonly EpochRun[] | null
  }
  readonly manifests: { readonly missing: readonly EpochRun[] } | null
  readonly files: {
    readonly missing: FewNames
    readonly without_manifest: FewNames
    readonly unreadable: FewNames
  } | null
  readonly tokens: readonly string[]
  readonly mixes_tokens: boolean
}

/** Completeness of one table over any range. */
export interface RangeCoverage {
  /** First and last known end of a period; undefined for an empty table. */
  readonly extent: EndsOfPeriods | undefined
  readonly newest: bigint | undefined
  missing(range: EndsOfPeriods): Missing
  over(range: EndsOfPeriods): Coverage
}

/** Limit of file names in one response; `count` includes all. */
export const MOST_NAMES = 100

/** Completeness of a table of epochs, computed once per snapshot from its log and manifests. Opens no file. */
export class TableCoverage implements RangeCoverage {
  readonly #epochs: readonly TableEpoch[]
  /** Days covered by epochs with rows, ascending. */
  readonly #reached: readonly number[]
  readonly #firsts: readonly bigint[]
  readonly #lasts: readonly bigint[]
  readonly extent: EndsOfPeriods | undefined
  /** Prefix counts over the epochs: epochs that lack a file, and epochs with a file without manifest. */
  readonly #incomplete: readonly number[]
  readonly #unnamed: readonly number[]
  /** Periods that end after this instant cannot be present. */
  readonly #committedAt: bigint

  /** `committedAt` is when the newest commit was made, in milliseconds since 1970. */
  constructor(table: TableSnapshot, manifests: readonly ManifestOfFiles[], committedAt = table.committedAt) {
    this.#epochs = gatherEpochs(table, manifests)
    this.#reached = daysReached(this.#epochs)
    this.#firsts = this.#epochs.map(({ first }) => first)
    this.#lasts = this.#epochs.map(({ last }) => last)
    const [first, last] = [this.#epochs[0], this.#epochs.at(-1)]
    this.extent = first && last && { from: first.first, to: last.last }
    this.#incomplete = countsBefore(this.#epochs, isIncomplete)
    this.#unnamed = countsBefore(this.#epochs, ({ unnamed }) => unnamed.size > 0)
    this.#committedAt = BigInt(committedAt) * 1000n
  }

  get newest(): bigint | undefined {
    return this.#epochs.findLast(({ isPresent }) => isPresent)?.last
  }

  /** Counts by binary search. */
  missing(range: EndsOfPeriods): Missing {
    const { first, end } = this.#indexesOf(range)
    const incomplete = (this.#incomplete[end] ?? 0) - (this.#incomplete[first] ?? 0)
    return {
      days: this.#absentDays(range) + incomplete,
      manifests: (this.#unnamed[end] ?? 0) - (this.#unnamed[first] ?? 0),
    }
  }

  over(range: EndsOfPeriods): Coverage {
    const { first, end } = this.#indexesOf(range)
    const epochs = this.#epochs.slice(first, end)
    const present = epochs.filter(({ isPresent }) => isPresent)
    const runsWhere = (holds: (epoch: TableEpoch) => boolean) =>
      runsOf(present.filter(holds).map(({ epoch }) => epoch))
    const tokens = [...new Set(epochs.flatMap((epoch) => [...epoch.tokens]))].sort()
    const newest = this.#epochs.findLast(({ isPresent }) => isPresent)
    return {
      ...writeEnds(range),
      epochs: {
        expected: present.length + this.#absentDays(range),
        present: present.length,
        newest: newest === undefined ? null : dateOf(newest.epoch),
        missing: this.#absentRuns(range),
        incomplete: runsWhere(isIncomplete),
        late: runsWhere(({ isLate }) => isLate),
        unreadable: runsOf(epochs.filter(({ unreadable }) => unreadable.size > 0).map(({ epoch }) => epoch)),
      },
      manifests: { missing: runsWhere(({ unnamed }) => unnamed.size > 0) },
      files: {
        missing: fewOf(epochs.flatMap(({ absent }) => [...absent])),
        without_manifest: fewOf(epochs.flatMap(({ unnamed }) => [...unnamed])),
        unreadable: fewOf(epochs.flatMap(({ unreadable }) => [...unreadable])),
      },
      tokens,
      mixes_tokens: tokens.length > 1,
    }
  }

  /** Range of indexes of the known epochs with a period in the range. */
  #indexesOf({ from, to }: EndsOfPeriods): { readonly first: number; readonly end: number } {
    const first = firstAtLeast(this.#lasts, from)
    return { first, end: Math.max(first, firstAtLeast(this.#firsts, to + 1n)) }
  }

  /** Days of the range that had ended at the newest commit. */
  #daysOf({ from, to }: EndsOfPeriods): { readonly first: number; readonly last: number } {
    const newest = this.extent?.to ?? 0n
    const until = newest > this.#committedAt ? newest : this.#committedAt
    return epochsWithin(from, to < until ? to : until)
  }

  #absentDays(range: EndsOfPeriods): number {
    const { first, last } = this.#daysOf(range)
    const reached = firstAtLeast(this.#reached, last + 1) - firstAtLeast(this.#reached, first)
    return Math.max(0, last + 1 - first - reached)
  }

  #absentRuns(range: EndsOfPeriods): readonly EpochRun[] {
    const { first, last } = this.#daysOf(range)
    const runs: EpochRun[] = []
    let next = first
    const upTo = (end: number) => {
      if (next < end) runs.push({ first: dateOf(next), last: dateOf(end - 1), days: end - next })
    }
    for (const day of this.#reached) {
      if (day < first || day > last) continue
      upTo(day)
      next = day + 1
    }
    upTo(last + 1)
    return runs
  }
}

/** Clamps the range to years of four digits: a time with an offset may be outside. */
export function writeEnds({ from, to }: EndsOfPeriods): Pick<Coverage, 'from' | 'to'> {
  const within = (end: bigint) =>
    end < FIRST_INSTANT ? FIRST_INSTANT : end > LAST_INSTANT ? LAST_INSTANT : end
  return { from: writeInstant(within(from)), to: writeInstant(within(to)) }
}

function daysReached(epochs: readonly TableEpoch[]): readonly number[] {
  const days = new Set<number>()
  for (const { isPresent, firstDay, lastDay } of epochs)
    if (isPresent) for (let day = firstDay; day <= lastDay; day += 1) days.add(day)
  return [...days].sort((a, b) => a - b)
}

function isIncomplete({ isPresent, absent }: TableEpoch): boolean {
  return isPresent && absent.size > 0
}

function countsBefore(
  epochs: readonly TableEpoch[],
  counts: (epoch: TableEpoch) => boolean,
): readonly number[] {
  const before = [0]
  for (const epoch of epochs) before.push((before.at(-1) ?? 0) + (counts(epoch) ? 1 : 0))
  return before
}

/** Joins ascending days into runs. */
export function runsOf(epochs: readonly number[]): readonly EpochRun[] {
  const runs: { first: number; last: number }[] = []
  for (const epoch of epochs) {
    const run = runs.at(-1)
    if (run !== undefined && run.last === epoch - 1) run.last = epoch
    else runs.push({ first: epoch, last: epoch })
  }
  return runs.map(({ first, last }) => ({ first: dateOf(first), last: dateOf(last), days: last + 1 - first }))
}

function fewOf(names: readonly string[]): FewNames {
  const distinct = [...new Set(names)].sort()
  return { count: distinct.length, names: distinct.slice(0, MOST_NAMES) }
}
