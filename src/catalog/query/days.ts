import { DAY_MICROS, DAY_MS } from '../../base/values/epoch-day.ts'
import { readInstant } from '../../base/values/instant.ts'
import { calendarOf } from './calendar.ts'

/** Days of a time zone, `YYYY-MM-DD`, both included. */
export interface Days {
  readonly first: string
  readonly last: string
}

/** Whether a text is a day of the years 2000 to 2099. */
export function isDay(text: string): boolean {
  return /^20\d\d-\d\d-\d\d$/.test(text) && readInstant(text) !== undefined
}

const SECOND = 1_000_000n
const HOUR = 3600n * SECOND
const HALF_DAY = 12n * HOUR

/** The day of an instant, in microseconds since 1970. */
export function dayOf(tz: string): (micros: bigint) => string {
  const calendar = calendarOf(tz, 'day')
  return (micros) => calendar.startOf(micros) ?? ''
}

/** The day after one. */
export function nextDay(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10)
}

/** The days of both; undefined when there is none. */
export function daysInBoth(a: Days, b: Days): Days | undefined {
  const [, first = a.first] = [a.first, b.first].sort()
  const [last = a.last] = [a.last, b.last].sort()
  return first <= last ? { first, last } : undefined
}

/** Instants, in microseconds since 1970, from the first to the last of the days. */
export function instantsOf(
  { first, last }: Days,
  tz: string,
): { readonly from: bigint; readonly to: bigint } {
  return { from: beginOf(first, tz), to: beginOf(nextDay(last), tz) - 1n }
}

/** Ends of the epochs of a day each whose middle lies in the days. */
export function endsOfEpochs(days: Days, tz: string): { readonly from: bigint; readonly to: bigint } {
  const { from, to } = instantsOf(days, tz)
  return { from: from + HALF_DAY, to: to + HALF_DAY }
}

/** The first day that begins at an instant or later. */
export function firstDayFrom(micros: bigint, tz: string): string {
  const day = dayOf(tz)(micros)
  return beginOf(day, tz) === micros ? day : nextDay(day)
}

/** The first instant of a day; zones skip hours, and not only at night. */
function beginOf(day: string, tz: string): bigint {
  const startOf = dayOf(tz)
  const guess = readInstant(day) ?? 0n
  // No zone is further than 15 hours from UTC.
  let before = guess - DAY_MICROS
  let there = guess + DAY_MICROS
  while (there - before > SECOND) {
    const middle = before + ((there - before) / 2n / SECOND) * SECOND
    if (startOf(middle) < day) before = middle
    else there = middle
  }
  return there
}
