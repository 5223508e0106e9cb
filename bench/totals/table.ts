import { digits, digitsOr, markdownTable, whole } from '../support/markdown.ts'
import type { Spread } from '../support/percentiles.ts'
import type { Result } from '../support/results.ts'

/** Microseconds: what all samples say, and some of them. */
export interface Timed extends Spread {
  readonly micros: readonly number[]
}

export interface TotalsCase {
  readonly name: string
  /** Different requests of this sort. */
  readonly distinct: number
  /** Middle size of the JSON answer. */
  readonly bodyBytes: number
  /** The repository in process. */
  readonly ours: Timed
  /** Raw DuckDB with the statements that our engine ran; null where the log alone answered. */
  readonly same: Timed | null
  /** Raw DuckDB with the request as plain SQL; null where `same` is just that. */
  readonly plain: Timed | null
  /** The served program, and the bare server with the same bytes. */
  readonly http: Timed
  readonly bare: Timed
  /** Requests per second: ours divided by those of the bare server, in each round. */
  readonly ceilingRatios: readonly number[]
  /** The middle one of them. */
  readonly ceilingRatio: number
}

export function totalsTables({ cases }: Result<TotalsCase>): string {
  const inProcess = cases.map((item) => [
    item.name,
    ...milliseconds(item.ours),
    digitsOr(ratio(item.ours, item.same)),
    digitsOr(ratio(item.ours, item.plain ?? item.same)),
  ])
  const overHttp = cases.map((item) => [
    item.name,
    ...milliseconds(item.http),
    digits(item.ceilingRatio),
    whole(item.bodyBytes),
  ])
  return [
    markdownTable(['in process', 'p50 ms', 'p99 ms', 'max ms', 'F same', 'F plain'], inProcess),
    markdownTable(['over HTTP', 'p50 ms', 'p99 ms', 'max ms', 'H', 'bytes'], overHttp),
  ].join('\n\n')
}

function milliseconds({ p50, p99, max }: Spread): readonly string[] {
  return [p50, p99, max].map((micros) => digits(micros / 1000))
}

function ratio(ours: Spread, raw: Spread | null): number | null {
  return raw === null ? null : ours.p50 / raw.p50
}
