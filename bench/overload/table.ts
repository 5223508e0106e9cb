import { digits, markdownTable, whole } from '../support/markdown.ts'
import type { Spread } from '../support/percentiles.ts'

/** What ten times the load did to one program. */
export interface Overloaded {
  readonly name: string
  readonly label: string
  /** Answers a second that 64 callers got, each of whom asks again when it has its answer. */
  readonly capacity: number
  readonly normalRefused: number
  /** Requests a second during the flood. */
  readonly offered: number
  readonly acceptedPerSecond: number
  /** One caller, the 64, and during the flood; milliseconds. */
  readonly alone: Spread
  readonly normal: Spread
  readonly accepted: Spread
  readonly refused: Spread
  readonly withRetryAfter: number
  readonly others: number
  readonly unsent: number
  /** Of the time of the flood, what the machine below took from the server's first core. */
  readonly stolenShare: number
  readonly healthMaxMs: number
  readonly beforeMb: number
  readonly peakMb: number
  readonly afterMb: number
  readonly secondsUntilNormal: number
}

const rows: readonly (readonly [string, (one: Overloaded) => string])[] = [
  ['capacity, answers/s', ({ capacity }) => digits(capacity)],
  ['offered, requests/s', ({ offered }) => digits(offered)],
  ['one caller p50 / p99, ms', ({ alone }) => twoOf(alone)],
  ['64 callers p50 / p99, ms', ({ normal }) => twoOf(normal)],
  ['refused of these', ({ normalRefused }) => whole(normalRefused)],
  ['accepted p50 / p99, ms', ({ accepted }) => twoOf(accepted)],
  ['accepted p99 / p99 of 64 callers (3)', ({ accepted, normal }) => digits(accepted.p99 / normal.p99)],
  ['accepted, answers/s', ({ acceptedPerSecond }) => digits(acceptedPerSecond)],
  ['refused p50 / p99, ms (p99 50)', ({ refused }) => twoOf(refused)],
  ['refused', ({ refused }) => whole(refused.samples)],
  ['of these with Retry-After', ({ withRetryAfter }) => whole(withRetryAfter)],
  ['other answers, unsent', ({ others, unsent }) => `${whole(others)}, ${whole(unsent)}`],
  ['core taken away by the host, %', ({ stolenShare }) => digits(100 * stolenShare)],
  ['/healthz, longest, ms (100)', ({ healthMaxMs }) => digits(healthMaxMs)],
  [
    'memory before / peak / after, MB (+ 100)',
    ({ beforeMb, peakMb, afterMb }) => [beforeMb, peakMb, afterMb].map(whole).join(' / '),
  ],
  ['seconds until normal (5)', ({ secondsUntilNormal }) => digits(secondsUntilNormal)],
]

/** A row for each figure, with what it should be at most in brackets, and a column for each run. */
export function tableOf(runs: readonly Overloaded[]): string {
  const head = ['figure', ...runs.map(({ name, label }) => `${name}: ${label}`)]
  return markdownTable(
    head,
    rows.map(([title, cell]) => [title, ...runs.map(cell)]),
  )
}

function twoOf({ p50, p99 }: Spread): string {
  return `${digits(p50)} / ${digits(p99)}`
}
