import { fail } from '../../base/errors.ts'
import { DAY_MS } from '../../base/values/epoch-day.ts'
import { readInstant } from '../../base/values/instant.ts'
import type { SampleNetwork } from './hotspots.ts'

const DEFAULT_START = '2025-01-15'
/** 2025-01-31: the first day paid in the main token. */
const SWITCH_DAY = 20_119
const MOST_DAYS = 36_500
/** Files are named after an instant on the day after the paid one. */
const LAST_DAY = '9999-12-30'
export const MOST_SAMPLE_HOTSPOTS = 100_000_000

/** Options of a sample network. */
export interface NetworkOptions {
  readonly days: number
  /**
   * Number of hotspots of both networks. Of ten, seven are on the IoT network, two on the mobile one, and one on both.
   */
  readonly hotspots: number
  /** 7, 7n and '7' are the same seed. */
  readonly seed: bigint | number | string
  /** First day, YYYY-MM-DD, UTC; default: 2025-01-15. */
  readonly start?: string
}

/** One day of both networks, with all values that its content depends on. */
export interface SampleEpoch extends SampleNetwork {
  /** Days since 1970-01-01. */
  readonly number: number
  /** Start and end of the day, UTC, in microseconds since 1970; the end is exclusive. */
  readonly start: bigint
  readonly end: bigint
  /** True if paid in the main token of 8 decimals instead of the network's old token of 6. */
  readonly mainToken: boolean
}

/** Returns the days of a network, oldest first. Errors: `malformed_request`. */
export function epochsOf(options: NetworkOptions): readonly SampleEpoch[] {
  const days = checkOption('days', options.days, MOST_DAYS)
  const hotspots = checkOption('hotspots', options.hotspots, MOST_SAMPLE_HOTSPOTS)
  const start = options.start ?? DEFAULT_START
  const first = readDay('start', start)
  if (first + days - 1 > readDay('', LAST_DAY)) {
    const sentence = `start is ${JSON.stringify(start)} and days is ${days}; the last day must be at most ${LAST_DAY}`
    fail('malformed_request', sentence)
  }
  return Array.from({ length: days }, (_, day) => {
    const number = first + day
    return {
      number,
      start: BigInt(number * DAY_MS) * 1000n,
      end: BigInt((number + 1) * DAY_MS) * 1000n,
      seed: String(options.seed),
      hotspots,
      mainToken: number >= SWITCH_DAY,
    }
  })
}

/** Returns the day as YYYY-MM-DD. */
export function dayOfEpoch(epoch: SampleEpoch): string {
  return new Date(epoch.number * DAY_MS).toISOString().slice(0, 10)
}

export function readDay(name: string, text: string): number {
  const instant = /^\d{4}-\d\d-\d\d$/.test(text) ? readInstant(text) : undefined
  if (instant === undefined || instant < 0n) {
    fail('malformed_request', `${name} is ${JSON.stringify(text)}; use a day since 1970 as YYYY-MM-DD`)
  }
  return Number(instant / 1000n) / DAY_MS
}

export function checkOption(name: string, value: number, most: number, least = 1): number {
  if (!Number.isInteger(value) || value < least || value > most) {
    fail('malformed_request', `${name} is ${value}; use a whole number from ${least} to ${most}`)
  }
  return value
}
