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

/** Filters, and paid days that replace their range. */
interface DaysQuery {
  readonly filters: Filters
  readonly days?: PaidDays | undefined
}

export type DayRanges = ReturnType<typeof openDayRanges>

/** The search for epochs ends this long after the last day. */
const LONGEST_HALF = 31n * DAY_MICROS

/** Converts paid days to a range of period ends, by the epochs of a snapshot. */
export function openDayRanges(epochs: Epochs, manifestsAt: ReadManifests) {
  /** Returns undefined while the start of an epoch has not been read. Reads nothing. Errors: `malformed_request`. */
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
    /**
     * Returns filters with the range of the days. Errors: `malformed_request` if periods of other days end inside it;
     * `lake_damaged`.
     */
    async read(resource: Resource, query: DaysQuery, at: Snapshot, signal?: AbortSignal): Promise<Filters> {
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

/** No period ends before its middle, so the search starts at the first day. */
function groupsNear(table: TableSnapshot, days: PaidDays) {
  const { from, to } = instantsOf(days, days.tz)
  const groups = table.statistics.groups({ from, to: to + LONGEST_HALF })
  // Groups of one source that differ only in type are adjacent.
  const nearest = new Map(groups.map((group) => [`${group.period} ${group.source}`, group]))
  return [...nearest.values()]
}

interface PaidPeriod {
  readonly period: bigint
  readonly day: string
}

/**
 * Returns the range of ends with exactly the periods of the days, extended to whole days where possible. Returns
 * undefined if periods of other days end in between.
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
    // Without a period of the days, the day decides which bound moves.
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
