import { digits, digitsOr, markdownTable } from '../support/markdown.ts'
import type { Spread } from '../support/percentiles.ts'
import type { Result } from '../support/results.ts'

/** Times are microseconds. */
export interface GraphqlCase {
  readonly name: string
  readonly bodyBytes: number
  readonly times: Spread & { readonly micros: readonly number[] }
  /** Middle time divided by that of the REST page of the same rows; null where there is none. */
  readonly toRest: number | null
}

export function graphqlTable({ cases }: Result<GraphqlCase>): string {
  const rows = cases.map(({ name, bodyBytes, times, toRest }) => [
    name,
    ...[times.p50, times.p99, times.max].map((micros) => digits(micros / 1000)),
    digitsOr(toRest),
    digits(bodyBytes / 1000),
  ])
  return markdownTable(['query', 'p50 ms', 'p99 ms', 'max ms', 'to REST', 'kB'], rows)
}
