/** Days from 1970-01-01 to 2000-01-01, where PostgreSQL counts from. */
const EPOCH_DAY = 10_957
const DAY_US = 86_400_000_000n
const MOST_INT32 = 2 ** 31 - 1
const MOST_INT64 = 2n ** 63n - 1n

/** Days since 2000-01-01 of `2026-07-01`, `0044-03-15 (BC)` or `infinity`. */
export function dayOf(text: string): number {
  if (text.startsWith('infinity')) return MOST_INT32
  if (text.startsWith('-infinity')) return -MOST_INT32 - 1
  const [, year = '', month = '', day = ''] = /^(\d+)-(\d\d)-(\d\d)/.exec(text) ?? []
  const signed = text.includes('(BC)') ? 1 - Number(year) : Number(year)
  return civilDay(signed, Number(month), Number(day)) - EPOCH_DAY
}

/** Days since 1970-01-01 in the proleptic Gregorian calendar. Date has too few years. */
function civilDay(year: number, month: number, day: number): number {
  const from = month <= 2 ? year - 1 : year
  const era = Math.floor(from / 400)
  const ofEra = from - era * 400
  const ofYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1
  return era * 146_097 + ofEra * 365 + Math.floor(ofEra / 4) - Math.floor(ofEra / 100) + ofYear - 719_468
}

/** Text of a day since 2000-01-01. */
export function dayText(days: number): string {
  if (days === MOST_INT32) return 'infinity'
  if (days === -MOST_INT32 - 1) return '-infinity'
  const shifted = days + EPOCH_DAY + 719_468
  const era = Math.floor(shifted / 146_097)
  const ofEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (ofEra - Math.floor(ofEra / 1460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) / 365,
  )
  const ofYear = ofEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const shiftedMonth = Math.floor((5 * ofYear + 2) / 153)
  const day = ofYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  const two = (value: number) => String(value).padStart(2, '0')
  const written = `${String(year > 0 ? year : 1 - year).padStart(4, '0')}-${two(month)}-${two(day)}`
  return year > 0 ? written : `${written} (BC)`
}

/** Microseconds of `04:05:06.789`. */
export function timeOf(text: string): bigint {
  const [, sign, hours = '0', minutes = '0', seconds = '0', fraction = ''] =
    /(-?)(\d+):(\d\d):(\d\d)(?:\.(\d{1,6}))?/.exec(text) ?? []
  const whole = (BigInt(hours) * 60n + BigInt(minutes)) * 60n + BigInt(seconds)
  const microseconds = whole * 1_000_000n + BigInt(fraction.padEnd(6, '0'))
  return sign === '-' ? -microseconds : microseconds
}

export function timeText(microseconds: bigint): string {
  const seconds = microseconds / 1_000_000n
  const two = (value: bigint) => String(value).padStart(2, '0')
  const fraction = String(microseconds % 1_000_000n).padStart(6, '0')
  return `${two(seconds / 3600n)}:${two((seconds / 60n) % 60n)}:${two(seconds % 60n)}.${fraction}`
}

/** Microseconds since 2000-01-01 00:00 of a time stamp, with or without the zone UTC. */
export function instantOf(text: string): bigint {
  if (text.startsWith('infinity')) return MOST_INT64
  if (text.startsWith('-infinity')) return -MOST_INT64 - 1n
  return BigInt(dayOf(text)) * DAY_US + timeOf(text)
}

export function instantText(microseconds: bigint): string {
  if (microseconds === MOST_INT64) return 'infinity'
  if (microseconds === -MOST_INT64 - 1n) return '-infinity'
  const time = ((microseconds % DAY_US) + DAY_US) % DAY_US
  return `${dayText(Number((microseconds - time) / DAY_US))} ${timeText(time)}`
}
