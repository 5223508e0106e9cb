/** Functions for UTC days, written `YYYY-MM-DD`. */

const DAY_MS = 86_400_000
export const chartIntervals = ['day', 'week', 'month'] as const
export type ChartInterval = (typeof chartIntervals)[number]

export function isDayText(text: string | null): text is string {
  if (text === null || !/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const ms = Date.parse(text)
  return !Number.isNaN(ms) && dayOf(ms) === text
}

/** The current day of UTC. */
export const currentDay = () => dayOf(Date.now())

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

export function addDays(day: string, days: number): string {
  return dayOf(Date.parse(day) + days * DAY_MS)
}

/** Returns all days from the first to the last, both included. */
export function daysBetween(first: string, last: string): readonly string[] {
  const count = Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS) + 1
  return Array.from({ length: Math.max(0, count) }, (_, place) => addDays(first, place))
}

/**
 * Returns `from` and `to` that select the rewards of these days. The server compares both with the end of a period, which
 * is the midnight after the paid day.
 */
export function rangeOf(first: string, last: string): { readonly from: string; readonly to: string } {
  return { from: `${first}T00:00:01Z`, to: `${addDays(last, 1)}T00:00:00Z` }
}

/** Returns the day before the instant at which a period ends: its paid day. */
export function dayPaid(endPeriod: string): string {
  return dayOf(Date.parse(endPeriod) - 1)
}

/** Returns the first day of the step with this day; weeks begin on Monday. */
export function stepOf(day: string, interval: ChartInterval): string {
  if (interval === 'day') return day
  if (interval === 'month') return `${day.slice(0, 7)}-01`
  return addDays(day, 1 - weekdayOf(day))
}

/** Returns 1 for Monday to 7 for Sunday. */
export const weekdayOf = (day: string) => ((new Date(day).getUTCDay() + 6) % 7) + 1

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** `12 Feb 2025`. */
export function dayText(day: string): string {
  const [year, month, date] = day.split('-')
  return `${Number(date)} ${months[Number(month) - 1]} ${year}`
}

/** Returns the label of a step. */
export function stepText(start: string, interval: ChartInterval): string {
  if (interval === 'month') return `${months[Number(start.slice(5, 7)) - 1]} ${start.slice(0, 4)}`
  return interval === 'week' ? `Week of ${dayText(start)}` : dayText(start)
}

/** Returns the age of a day in words; `today` is a day too. */
export function ageText(day: string, today: string): string {
  const days = daysBetween(day, today).length - 1
  if (days <= 0) return 'today'
  return days === 1 ? 'yesterday' : `${days} days ago`
}
