import { FIRST_INSTANT, writeInstant } from './instant.ts'

/** Days are counted from 1970-01-01, UTC. An epoch is a day: that in which the middle of its period lies. */

export const DAY_MS = 86_400_000
export const DAY_MICROS = BigInt(DAY_MS) * 1000n

/** The day of an instant in microseconds since 1970. */
export function dayOf(micros: bigint): number {
  return Number((micros - (((micros % DAY_MICROS) + DAY_MICROS) % DAY_MICROS)) / DAY_MICROS)
}

/** The epoch of a period that ends at an instant: the period that ends on 9 February at 00:00 is that of 8 February. */
export function epochOf(end: bigint): number {
  return dayOf(end - DAY_MICROS / 2n)
}

/** When the period of an epoch ends. */
export function endOfEpoch(epoch: number): bigint {
  return BigInt(epoch + 1) * DAY_MICROS
}

/** The first and the last epoch whose period ends in a range, both ends included; the last is before the first when there is none. The day before the year 0 has no date. */
export function epochsWithin(from: bigint, to: bigint): { readonly first: number; readonly last: number } {
  return { first: Math.max(dayOf(from - 1n), dayOf(FIRST_INSTANT)), last: dayOf(to) - 1 }
}

/** `2025-02-08`. */
export function dateOf(epoch: number): string {
  return writeInstant(BigInt(epoch) * DAY_MICROS).slice(0, 10)
}
