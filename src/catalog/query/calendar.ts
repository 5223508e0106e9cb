import { BoundedMap } from '../../base/bounded-map.ts'
import { getOrMake } from '../../base/maps.ts'
import { DAY_MS } from '../../base/values/epoch-day.ts'
import type { Interval } from '../series.ts'

/** Days, weeks and months of one time zone. */
export interface Calendar {
  /** Returns the first day, `YYYY-MM-DD`, of the step of an instant in microseconds since 1970; null if the interval is `all`. */
  startOf(micros: bigint): string | null
  /** Returns the starts of the steps that touch a range, ends included, in seconds since 1970; empty if the interval is `all`. */
  starts(first: bigint, last: bigint): readonly bigint[]
}

/** UTC, or area and city. */
export const TIME_ZONE_PATTERN = '^(?:UTC|[A-Z][A-Za-z]+(?:/[A-Za-z0-9_+-]+)+)$'

/** True if a name is a time zone of the IANA database; offsets such as +02:00 and abbreviations are not. */
export function isTimeZone(name: string): boolean {
  if (!new RegExp(TIME_ZONE_PATTERN).test(name)) return false
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    return true
  } catch {
    return false
  }
}

const MOST_CALENDARS = 200
const calendars = new BoundedMap<string, Calendar>(MOST_CALENDARS)

/** Returns a cached calendar; weeks begin on Monday. Errors: RangeError for an unknown zone. */
export function calendarOf(timeZone: string, interval: Interval): Calendar {
  return getOrMake(calendars, `${interval} ${timeZone}`, () => makeCalendar(timeZone, interval))
}

/** Between one and two steps, in seconds. */
const STEP_SECONDS = { day: 100_000n, week: 620_000n, month: 2_800_000n, all: 0n } as const

/** Size of the caches: a day of a zone takes 20 microseconds to compute. */
const MOST_KNOWN = 50_000

function makeCalendar(timeZone: string, interval: Interval): Calendar {
  const format = new Intl.DateTimeFormat('en-US-u-ca-iso8601-nu-latn', {
    timeZone,
    ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
  })
  const isUtc = timeZone === 'UTC'
  const dayOf = (ms: number): string => {
    if (isUtc) return new Date(ms).toISOString().slice(0, 10)
    const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]))
    return `${(parts.year ?? '').padStart(4, '0')}-${parts.month}-${parts.day}`
  }
  const starts = new BoundedMap<bigint, string>(MOST_KNOWN)
  const next = new BoundedMap<bigint, bigint>(MOST_KNOWN)
  const stepOf = (seconds: bigint) => startOfStep(dayOf(Number(seconds) * 1000), interval)

  /** Returns the first second of the next step. A day has at most 27 hours. */
  function nextStart(second: bigint): bigint {
    const cached = next.get(second)
    if (cached !== undefined) return cached
    const step = stepOf(second)
    let [low, high] = [second, second + STEP_SECONDS[interval]]
    while (high - low > 1n) {
      const middle = (low + high) / 2n
      if (stepOf(middle) === step) low = middle
      else high = middle
    }
    next.set(second, high)
    return high
  }

  return {
    starts(first, last) {
      if (interval === 'all') return []
      const boundaries: bigint[] = []
      // The first step began at most that long before.
      let start = nextStart(first - STEP_SECONDS[interval])
      while (start <= first) {
        boundaries[0] = start
        start = nextStart(start)
      }
      for (; start <= last; start = nextStart(start)) boundaries.push(start)
      return boundaries
    },
    startOf(micros) {
      if (interval === 'all') return null
      const cached = starts.get(micros)
      if (cached !== undefined) return cached
      // Days change only at whole seconds.
      const start = startOfStep(dayOf(Number(floorDiv(micros, 1_000_000n)) * 1000), interval)
      starts.set(micros, start)
      return start
    },
  }
}

function startOfStep(day: string, interval: Interval): string {
  if (interval === 'month') return `${day.slice(0, 8)}01`
  if (interval !== 'week') return day
  const ms = Date.parse(`${day}T00:00:00Z`)
  const daysSinceMonday = (new Date(ms).getUTCDay() + 6) % 7
  return new Date(ms - daysSinceMonday * DAY_MS).toISOString().slice(0, 10)
}

function floorDiv(a: bigint, b: bigint): bigint {
  const quotient = a / b
  return a < 0n && quotient * b !== a ? quotient - 1n : quotient
}
