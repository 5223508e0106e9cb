import { DAY_MICROS, dateOf, dayOf } from '../../base/values/epoch-day.ts'
import { readInstant } from '../../base/values/instant.ts'
import { type Days, dayInZone } from '../../catalog/query/days.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { EpochRun } from '../coverage/coverage.ts'
import { coverageOf, type StatementRead } from '../statement/statement-read.ts'

/** Days of a network that lack data. */
export interface NetworkDays {
  /** Days without any reward, also those that are not yet in. */
  readonly missing: ReadonlySet<string>
  /** Days that lack a file of a manifest. */
  readonly incomplete: ReadonlySet<string>
  /** Counts for the header `Ledgerlake-Missing`. */
  readonly counts: { readonly days: number; readonly manifests: number }
}

/** Returns the number of a day since 1970. Errors: Error for a text that is no day. */
export function dayNumber(date: string): number {
  const instant = readInstant(date)
  if (instant === undefined) throw new Error(`${date} is not a day`)
  return dayOf(instant)
}

/** Lists days, both ends included. */
export function daysBetween({ first, last }: Days): readonly string[] {
  const [start, end] = [dayNumber(first), dayNumber(last)]
  return Array.from({ length: end - start + 1 }, (_, index) => dateOf(start + index))
}

/** Returns the noon (UTC) of a day in a zone: the middle of the epoch that belongs to it. Microseconds since 1970. */
export function middleOf(date: string, tz: string): bigint {
  const noon = BigInt(dayNumber(date)) * DAY_MICROS + DAY_MICROS / 2n
  const dayIn = dayInZone(tz)
  const near = [noon, noon - DAY_MICROS, noon + DAY_MICROS]
  return near.find((instant) => dayIn(instant) === date) ?? noon
}

/** The coverage of the repository must have been read. */
export function networkDays(read: StatementRead, resource: Resource, days: Days): NetworkDays {
  const { tz } = read
  const { epochs, counts } = coverageOf(read, resource, days)
  const { newest, missing, incomplete } = epochs
  const lacking = new Set(datesIn(missing, tz))
  const newestDay = newest === null ? '' : dayOfEpoch(newest, tz)
  for (const date of daysBetween(days)) if (date > newestDay) lacking.add(date)
  return {
    missing: lacking,
    incomplete: new Set(datesIn(incomplete ?? [], tz)),
    counts,
  }
}

/** Epochs are days of UTC. */
const datesIn = (runs: readonly EpochRun[], tz: string) =>
  runs.flatMap((run) => daysBetween(run).map((date) => dayOfEpoch(date, tz)))

const dayOfEpoch = (date: string, tz: string) => dayInZone(tz)(middleOf(date, 'UTC'))
