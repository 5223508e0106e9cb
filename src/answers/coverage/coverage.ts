import { dateOf, epochsWithin } from '../../base/values/epoch-day.ts'
import { firstAtLeast } from '../../base/values/first-place.ts'
import { FIRST_INSTANT, LAST_INSTANT, writeInstant } from '../../base/values/instant.ts'
import type { JsonObject } from '../../base/values/json-writer.ts'
import type { TableSnapshot } from '../../lake/snapshot/snapshot.ts'
import { type Epoch, gatherEpochs, type ManifestOfFiles } from './epochs.ts'

/** Ends of periods in microseconds since 1970, both included. */
export interface EndsOfPeriods {
  readonly from: bigint
  readonly to: bigint
}

/** What a range lacks: epochs without rows or without one of their files, and those with a file that no manifest names. */
export interface Missing {
  readonly days: number
  readonly manifests: number
}

/** Epochs one after the other, as dates. */
export type EpochRun = { readonly first: string; readonly last: string; readonly days: number }

/** How many files, and the names of the first of them. */
export type FewNames = { readonly count: number; readonly names: readonly string[] }

/** How complete a table is over a range; null is what cannot be known, since no manifest names the files of the ledger's archive. */
export interface Coverage extends JsonObject {
  readonly from: string
  readonly to: string
  readonly epochs: {
    readonly expected: number
    readonly present: number
    /** The last of the table, whatever the range. */
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

/** How complete one table is, over any range. */
export interface RangeCoverage {
  /** From the first to the last day that is known of; undefined when there is none. */
  readonly extent: EndsOfPeriods | undefined
  /** The last end of a period that is present. */
  readonly newest: bigint | undefined
  missing(range: EndsOfPeriods): Missing
  over(range: EndsOfPeriods): Coverage
}

/** As many names of files as one answer lists; all are counted. */
export const MOST_NAMES = 100

/** How complete a table of epochs is. Made once for a snapshot from its log and its manifests; nothing is opened. */
export class TableCoverage implements RangeCoverage {
  readonly #epochs: readonly Epoch[]
  /** Days that epochs with rows reach over, in order. */
  readonly #reached: readonly number[]
  readonly #firsts: readonly bigint[]
  readonly #lasts: readonly bigint[]
  /** From the first to the last epoch that the table or its manifests know; undefined when there is none. */
  readonly extent: EndsOfPeriods | undefined
  /** Among the epochs before each, and before the end: those that lack a file, and those that lack a manifest. */
  readonly #incomplete: readonly number[]
  readonly #unnamed: readonly number[]
  /** What ends later cannot have been there. */
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

  /** The last end of a period that is present. */
  get newest(): bigint | undefined {
    return this.#epochs.findLast(({ isPresent }) => isPresent)?.last
  }

  /** How much a range lacks, by binary search. */
  missing(range: EndsOfPeriods): Missing {
    const { first, end } = this.#placesOf(range)
    const incomplete = (this.#incomplete[end] ?? 0) - (this.#incomplete[first] ?? 0)
    return {
      days: this.#absentDays(range) + incomplete,
      manifests: (this.#unnamed[end] ?? 0) - (this.#unnamed[first] ?? 0),
    }
  }

  over(range: EndsOfPeriods): Coverage {
    const { first, end } = this.#placesOf(range)
    const epochs = this.#epochs.slice(first, end)
    const present = epochs.filter(({ isPresent }) => isPresent)
    const runsWhere = (holds: (epoch: Epoch) => boolean) =>
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

  /** The known epochs that have a period in the range. */
  #placesOf({ from, to }: EndsOfPeriods): { readonly first: number; readonly end: number } {
    const first = firstAtLeast(this.#lasts, from)
    return { first, end: Math.max(first, firstAtLeast(this.#firsts, to + 1n)) }
  }

  /** Days of the range that had ended when the newest commit was made. */
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

/** The ends of a range as times with a year of four digits: with an offset a caller may ask for less or more. */
export function writeEnds({ from, to }: EndsOfPeriods): Pick<Coverage, 'from' | 'to'> {
  const within = (end: bigint) =>
    end < FIRST_INSTANT ? FIRST_INSTANT : end > LAST_INSTANT ? LAST_INSTANT : end
  return { from: writeInstant(within(from)), to: writeInstant(within(to)) }
}

function daysReached(epochs: readonly Epoch[]): readonly number[] {
  const days = new Set<number>()
  for (const { isPresent, firstDay, lastDay } of epochs)
    if (isPresent) for (let day = firstDay; day <= lastDay; day += 1) days.add(day)
  return [...days].sort((a, b) => a - b)
}

/** Rows are there, but not all files. */
function isIncomplete({ isPresent, absent }: Epoch): boolean {
  return isPresent && absent.size > 0
}

function countsBefore(epochs: readonly Epoch[], counts: (epoch: Epoch) => boolean): readonly number[] {
  const before = [0]
  for (const epoch of epochs) before.push((before.at(-1) ?? 0) + (counts(epoch) ? 1 : 0))
  return before
}

/** Days in ascending order as runs. */
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
