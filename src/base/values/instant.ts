/** Instants are microseconds since 1970 in UTC, as bigint. */

const ISO_TEXT =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,18}))?)? ?([Zz]|[+\- ]\d\d(?::?\d\d)?)?)?$/

const SECOND = 1_000_000n
const MINUTE = 60n * SECOND

/** The first and the last instant that have a four-digit year. */
export const FIRST_INSTANT = -62_167_219_200_000_000n
export const LAST_INSTANT = 253_402_300_799_999_999n

/**
 * Parses ISO 8601: `2026-07-01`, `2026-07-01T00:00Z`, `2026-07-01T02:00:00.5+02:00`; UTC without an offset.
 * A blank counts as the plus sign that a query string decodes to a blank. Digits beyond microseconds are
 * rounded `up` or `down`. Returns undefined for any other text.
 */
export function readInstant(text: string, round: 'up' | 'down' = 'down'): bigint | undefined {
  const match = ISO_TEXT.exec(text)
  if (match === null) return undefined
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone = 'Z'] = match
  const date = new Date(0)
  // Date.UTC would map years before 100 to 19xx.
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  const isDate = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)
  const isTime = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60
  const offset = readOffset(zone)
  if (!isDate || !isTime || offset === undefined) return undefined
  const seconds = (Number(hour) * 60 + Number(minute)) * 60 + Number(second)
  const base = BigInt(date.getTime() + seconds * 1000) * 1000n
  if (fraction === '') return offset === 0n ? base : base - offset
  const micros = BigInt(fraction.slice(0, 6).padEnd(6, '0'))
  const roundedUp = /[1-9]/.test(fraction.slice(6)) && round === 'up' ? 1n : 0n
  return base - offset + micros + roundedUp
}

/** True if one instant is before another, with all digits compared. */
export function isBefore(a: string, b: string): boolean {
  const [first, second] = [readInstant(a), readInstant(b)]
  if (first === undefined || second === undefined) return false
  return first === second ? digitsBeyondMicros(a) < digitsBeyondMicros(b) : first < second
}

function digitsBeyondMicros(text: string): string {
  return (ISO_TEXT.exec(text)?.[7] ?? '').slice(6).padEnd(12, '0')
}

/** Parses `Z`, `+02:00`, `-0330` or `+02` to microseconds east of UTC. */
function readOffset(zone: string): bigint | undefined {
  if (zone === 'Z' || zone === 'z') return 0n
  const hours = BigInt(zone.slice(1, 3))
  const minutes = BigInt(zone.slice(3).replace(':', '') || '0')
  if (hours > 23n || minutes > 59n) return undefined
  const size = (hours * 60n + minutes) * MINUTE
  return zone.startsWith('-') ? -size : size
}

/** Writes `2026-07-01T00:00:00Z`, with a fraction only if it is not 0. */
export function writeInstant(micros: bigint): string {
  const second = micros >= 0n ? micros / SECOND : (micros - SECOND + 1n) / SECOND
  const fraction = micros - second * SECOND
  const base = new Date(Number(second) * 1000).toISOString().slice(0, 19)
  return fraction === 0n ? `${base}Z` : `${base}.${fraction.toString().padStart(6, '0').replace(/0+$/, '')}Z`
}

/** The month of an instant, `YYYY-MM`. */
export function monthOf(micros: bigint): string {
  return writeInstant(micros).slice(0, 7)
}
