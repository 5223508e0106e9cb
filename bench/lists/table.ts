import { digits, markdownTable } from '../support/markdown.ts'
import type { Spread } from '../support/percentiles.ts'
import type { Result } from '../support/results.ts'

export interface ListCase {
  readonly name: string
  /** Different requests of this sort, each of them checked. */
  readonly distinct: number
  readonly targetMs: number
  /** Microseconds over HTTP. */
  readonly times: Spread & { readonly micros: readonly number[] }
  /** For one request in the middle, asked for the first time. */
  readonly statements: number
  readonly files: number
  readonly kilobytesRead: number
}

export function listsTable({ cases }: Result<ListCase>): string {
  const rows = cases.map(({ name, times, targetMs, statements, files, kilobytesRead }) => [
    name,
    ...[times.p50, times.p99, times.max].map((micros) => digits(micros / 1000)),
    String(targetMs),
    String(statements),
    String(files),
    digits(kilobytesRead),
  ])
  return markdownTable(
    ['request', 'p50 ms', 'p99 ms', 'max ms', 'aim ms', 'statements', 'files', 'kB read'],
    rows,
  )
}
