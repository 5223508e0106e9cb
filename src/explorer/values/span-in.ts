import { addDays, chartIntervals, currentDay, dayText, isDayText } from './days.ts'
import {
  type CalendarSpan,
  calendarSpans,
  calendarSpanTexts,
  daysOfCalendar,
  type KnownDays,
  type Span,
} from './spans.ts'

const DAYS_UNLESS_GIVEN = 30

/** Parameters of the address that choose days. */
export const spanParameters = ['days', 'first', 'last', 'span'] as const

interface ChosenSpan extends Span {
  readonly calendar?: CalendarSpan
  /** True if the address has the last day before the first. */
  readonly isReversed?: true
}

/** Returns the span in the address of the page; by default the newest 30 days. */
export function spanIn(query: URLSearchParams, known: KnownDays): ChosenSpan {
  const [first, last] = [query.get('first'), query.get('last')]
  const interval = chartIntervals.find((one) => one === query.get('by')) ?? 'day'
  if (isDayText(first) && isDayText(last))
    return first <= last
      ? { first, last, interval }
      : { first: last, last: first, interval, isReversed: true }
  const calendar = calendarSpans.find((one) => one === query.get('span'))
  if (calendar !== undefined) return { ...daysOfCalendar(calendar, currentDay()), interval, calendar }
  const days = Number(query.get('days'))
  const length = Number.isInteger(days) && days > 0 && days <= 3660 ? days : DAYS_UNLESS_GIVEN
  const [, start = known.first] = [addDays(known.last, 1 - length), known.first].toSorted()
  return { first: start, last: known.last, interval }
}

/** `Last month: 1 Oct 2026 to 31 Oct 2026`. */
export function spanText({ calendar, first, last }: ChosenSpan): string {
  const days = first === last ? dayText(first) : `${dayText(first)} to ${dayText(last)}`
  return calendar === undefined ? days : `${calendarSpanTexts[calendar]}: ${days}`
}
