import { DAY_MICROS, DAY_MS } from '../../base/values/epoch-day.ts'
import { readInstant } from '../../base/values/instant.ts'
import { calendarOf } from './calendar.ts'

/** Days of a time zone, `YYYY-MM-DD`, both included. */
export interface Days {
  readonly first: string
  readonly last: string
}

export function isDay(text: string): boolean {
  return /^20\d\d-\d\d-\d\d$/.test(text) && readInstant(text) !== undefined
}

const SECOND = 1_000_000n
const HOUR = 3600n * SECOND
const HALF_DAY = 12n * HOUR

/** Returns a function from an instant, in microseconds since 1970, to its day. */
export function dayInZone(tz: string): (micros: bigint) => string {
  const calendar = calendarOf(tz, 'day')
  return (micros) => calendar.startOf(micros) ?? ''
}

export function nextDay(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10)
}

/** Intersects two ranges of days; undefined if they are disjoint. */
export function daysInBoth(a: Days, b: Days): Days | undefined {
  const [, first = a.first] = [a.first, b.first].sort()
  const [last = a.last] = [a.last, b.last].sort()
  return first <= last ? { first, last } : undefined
}

/** Returns the first and the last instant of days, in microseconds since 1970. */
export function instantsOf(
  { first, last }: Days,
  tz: string,
): { readonly from: bigint; readonly to: bigint } {
  return { from: startOfDay(first, tz), to: startOfDay(nextDay(last), tz) - 1n }
}

/** Returns the range of period ends of one-day epochs whose middle is in the days. */
export function endsOfEpochs(days: Days, tz: string): { readonly from: bigint; readonly to: bigint } {
  const { from, to } = instantsOf(days, tz)
  return { from: from + HALF_DAY, to: to + HALF_DAY }
}

/** Returns the first day that begins at or after an instant. */
export function firstDayFrom(micros: bigint, tz: string): string {
  const day = dayInZone(tz)(micros)
  return startOfDay(day, tz) === micros ? day : nextDay(day)
}

/** Finds the first instant of a day by binary search: zones skip hours at any time of day. */
function startOfDay(day: string, tz: string): bigint {
  const startOf = dayInZone(tz)
  const guess = readInstant(day) ?? 0n
  // No zone is further than 15 hours from UTC.
  let before = guess - DAY_MICROS
  let after = guess + DAY_MICROS
  while (after - before > SECOND) {
    const middle = before + ((after - before) / 2n / SECOND) * SECOND
    if (startOf(middle) < day) before = middle
    else after = middle
  }
  return after
}
