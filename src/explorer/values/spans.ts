import { addDays, type ChartInterval } from './days.ts'

/** The first and last day shown, both included, and the length of a step. */
export interface Span {
  readonly first: string
  readonly last: string
  readonly interval: ChartInterval
}

/** The first and last day with rewards. */
export interface KnownDays {
  readonly first: string
  readonly last: string
}

/** Spans of the calendar, by their name in the address of a page. */
export const calendarSpans = ['this-month', 'last-month', 'last-year'] as const
export type CalendarSpan = (typeof calendarSpans)[number]

export const calendarSpanTexts: Readonly<Record<CalendarSpan, string>> = {
  'this-month': 'This month',
  'last-month': 'Last month',
  'last-year': 'Last year',
}

interface Days {
  readonly first: string
  readonly last: string
}

/** Returns the days of a calendar span, both included; this month ends today. */
export function daysOfCalendar(name: CalendarSpan, today: string): Days {
  const monthStart = `${today.slice(0, 7)}-01`
  if (name === 'this-month') return { first: monthStart, last: today }
  if (name === 'last-year') {
    const year = Number(today.slice(0, 4)) - 1
    return { first: `${year}-01-01`, last: `${year}-12-31` }
  }
  const last = addDays(monthStart, -1)
  return { first: `${last.slice(0, 7)}-01`, last }
}

/** Returns as many days as a span has, up to the day before it. */
export function daysBefore({ first, last }: Days): Days {
  const length = Math.round((Date.parse(last) - Date.parse(first)) / 86_400_000)
  const end = addDays(first, -1)
  return { first: addDays(end, -length), last: end }
}
