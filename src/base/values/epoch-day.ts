import { FIRST_INSTANT, writeInstant } from './instant.ts'

/** Days are counted from 1970-01-01, UTC. An epoch is a day: that in which the middle of its period lies. */

export const DAY_MS = 86_400_000
export const DAY_MICROS = BigInt(DAY_MS) * 1000n

/** Returns the day of an instant in microseconds since 1970. */
export function dayOf(micros: bigint): number {
  return Number((micros - (((micros % DAY_MICROS) + DAY_MICROS) % DAY_MICROS)) / DAY_MICROS)
}

/** Returns the epoch of a period by its end: a period that ends on 9 February at 00:00 is that of 8 February. */
export function epochOf(end: bigint): number {
  return dayOf(end - DAY_MICROS / 2n)
}

/** Returns the end of the period of an epoch. */
export function endOfEpoch(epoch: number): bigint {
  return BigInt(epoch + 1) * DAY_MICROS
}

/**
 * Returns the first and the last epoch whose period ends in a range, ends included. If there is none, `last`
 * is before `first`. Days before the year 0 have no date.
 */
export function epochsWithin(from: bigint, to: bigint): { readonly first: number; readonly last: number } {
  return { first: Math.max(dayOf(from - 1n), dayOf(FIRST_INSTANT)), last: dayOf(to) - 1 }
}

/** `2025-02-08`. */
export function dateOf(epoch: number): string {
  return writeInstant(BigInt(epoch) * DAY_MICROS).slice(0, 10)
}
