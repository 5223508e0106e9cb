import { digits, markdownTable, whole } from '../support/markdown.ts'
import type { Spread } from '../support/percentiles.ts'
import type { Result } from '../support/results.ts'

/** Milliseconds. */
export interface SeriesCase {
  readonly name: string
  /** The network that was asked. */
  readonly network: string
  readonly rows: number
  readonly by: string
  readonly ours: Spread
  readonly sql: Spread
  /** Plain SQL divided by ours, in each round. */
  readonly ratios: readonly number[]
  readonly ratio: number
}

export interface SeriesResult extends Result<SeriesCase> {
  /** Seconds in which the sums of hotspots of a network were built, processor seconds, and what they take. */
  readonly built: readonly {
    readonly network: string
    readonly shares: number
    readonly seconds: number
    readonly cpuSeconds: number
    readonly sumsBytes: number
    /** Files of both tables of shares and all that is derived from them. */
    readonly allBytes: number
  }[]
}

export function seriesTables({ cases, built }: SeriesResult): string {
  const timed = cases.map((one) => [
    `${one.name} (${one.network})`,
    ...[whole(one.rows), one.by, digits(one.ours.p50), digits(one.ours.p99)],
    ...[digits(one.sql.p50), digits(one.ratio)],
  ])
  const costs = built.map((one) => [
    one.network,
    whole(one.shares),
    ...[digits(one.seconds), digits(one.cpuSeconds), whole(one.shares / one.seconds)],
    ...[digits(one.sumsBytes / one.shares), digits(one.allBytes / one.shares)],
  ])
  return [
    markdownTable(['series', 'rows', 'by', 'p50 ms', 'p99 ms', 'plain SQL p50', 'times'], timed),
    markdownTable(
      ['sums of hotspots', 'shares', 's', 'CPU s', 'shares/s', 'bytes a share', 'all bytes a share'],
      costs,
    ),
  ].join('\n\n')
}
