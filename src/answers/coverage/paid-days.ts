import { fail } from '../../base/errors.ts'
import { DAY_MICROS } from '../../base/values/epoch-day.ts'
import { calendarOf } from '../../catalog/query/calendar.ts'
import { endsOfEpochs, instantsOf } from '../../catalog/query/days.ts'
import type { Filters } from '../../catalog/query/filter-values.ts'
import { type PaidDays, rangeOfDays } from '../../catalog/query/paid-days.ts'
import type { Resource } from '../../catalog/resource.ts'
import type { Snapshot, TableSnapshot } from '../../lake/snapshot/snapshot.ts'
import type { ReadManifests } from '../records/manifests.ts'
import type { Epochs } from '../series/series-epochs.ts'
import type { EndsOfPeriods } from './coverage.ts'

/** Filters, and days that stand for those of their range. */
interface DaysQuery {
  readonly filters: Filters
  readonly days?: PaidDays | undefined
}

/** Turns days that were paid into a range of ends of periods, by the epochs that a snapshot has. */
export interface DayRanges {
  /** Undefined while the beginning of an epoch was not read. Reads nothing. Errors: `malformed_request`. */
  peek(resource: Resource, query: DaysQuery, at: Snapshot): Filters | undefined
  /** Errors: `malformed_request` for days whose epochs lie between those of other days, and `lake_damaged`. */
  read(resource: Resource, query: DaysQuery, at: Snapshot, signal?: AbortSignal): Promise<Filters>
}

/** An epoch that ends later than this after its day is not looked for. */
const LONGEST_HALF = 31n * DAY_MICROS

export function openDayRanges(epochs: Epochs, manifestsAt: ReadManifests): DayRanges {
  function peek(resource: Resource, { filters, days }: DaysQuery, at: Snapshot): Filters | undefined {
    if (days === undefined) return filters
    const [manifests, range] = [manifestsAt.peek(at), rangeOfDays(resource)]
    if (manifests === undefined || range === undefined) return undefined
    const table = at.table(resource)
    const groups = groupsNear(table, days)
    if (epochs.missing(table, manifests, groups).length > 0) return undefined
    const factsOf = epochs.factsOf(table, manifests, calendarOf(days.tz, 'day'))
    const paid = groups.map(({ source, period }) => ({ period, day: factsOf(source, period)?.start ?? '' }))
    const ends = endsOfDays(days, paid) ?? refuseMixed(resource, days, range)
    return { ...filters, [range.from]: ends.from, [range.to]: ends.to }
  }

  return {
    peek,
    async read(resource, query, at, signal) {
      const { days } = query
      if (days === undefined) return query.filters
      const table = at.table(resource)
      const manifests = await manifestsAt(at, signal)
      const missing = epochs.missing(table, manifests, groupsNear(table, days))
      await epochs.read(resource, missing, at, signal)
      return peek(resource, query, at) ?? fail('internal', `an epoch of ${resource.name} has no start`)
    },
  }
}

/** The middle of a period is never after its end, so no epoch of the days ends before they begin. */
function groupsNear(table: TableSnapshot, days: PaidDays) {
  const { from, to } = instantsOf(days, days.tz)
  const groups = table.statistics.groups({ from, to: to + LONGEST_HALF })
  // Groups that differ only in type follow each other by source.
  const nearest = new Map(groups.map((group) => [`${group.period} ${group.source}`, group]))
  return [...nearest.values()]
}

/** The end of a period, and the day on which it was paid. */
interface PaidPeriod {
  readonly period: bigint
  readonly day: string
}

/**
 * The range of ends that has exactly the periods of the days, at least as wide as whole days where other periods leave room for it.
 * Undefined when periods of other days end between those of the days.
 */
export function endsOfDays(days: PaidDays, periods: readonly PaidPeriod[]): EndsOfPeriods | undefined {
  let { from, to } = endsOfEpochs(days, days.tz)
  const paidPeriods = periods.filter(({ day }) => days.first <= day && day <= days.last)
  for (const { period } of paidPeriods) {
    if (period < from) from = period
    if (period > to) to = period
  }
  const middle = paidPeriods[0]?.period
  for (const { period, day } of periods) {
    if (days.first <= day && day <= days.last) continue
    // Without a period of the days it is the day that tells on which side the range ends.
    const isBefore = middle === undefined ? day < days.first : period < middle
    if (isBefore && period >= from) from = period + 1n
    else if (!isBefore && period <= to) to = period - 1n
  }
  return paidPeriods.every(({ period }) => from <= period && period <= to) ? { from, to } : undefined
}

function refuseMixed(
  { name }: Resource,
  { first, last }: PaidDays,
  range: { readonly from: string; readonly to: string },
): never {
  const message =
    `first_day is ${first} and last_day is ${last}; epochs of ${name} end on these days that belong to other days; ` +
    `use ${range.from} and ${range.to}, which are compared with the end of an epoch`
  return fail('malformed_request', `${message}.`, { faults: [{ param: 'first_day', message }] })
}
