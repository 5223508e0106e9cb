import { rateRatio, type TimedCase } from '../peers/measure.ts'
import { digits, digitsOr, markdownTable } from '../support/markdown.ts'
import type { Spread } from '../support/percentiles.ts'
import type { Result } from '../support/results.ts'
import type { Work } from './work-of.ts'

/** Who answers: the served program, or PostgreSQL with a B-tree for each selective filter. */
export type Lister = 'ours' | 'postgres'

export interface ListCase extends Work {
  readonly name: string
  /** Different requests of this sort, each of them checked. */
  readonly distinct: number
  readonly targetMs: number
  /** Microseconds over HTTP, of one caller. */
  readonly times: Spread & { readonly micros: readonly number[] }
  /** The same requests by one caller and by more; results before 2026-11-25 lack them. */
  readonly callers?: readonly TimedCase<Lister>[]
}

const CALLERS = [1, 16, 64]

export function listsTable({ cases }: Result<ListCase>): string {
  const rows = cases.map(({ name, times, targetMs, statements, files, kilobytesRead, callers }) => [
    name,
    ...[times.p50, times.p99].map((micros) => digits(micros / 1000)),
    String(targetMs),
    ...CALLERS.map((connections) =>
      digitsOr(toPostgres(callers?.find((one) => one.connections === connections))),
    ),
    String(statements),
    String(files),
    digits(kilobytesRead),
  ])
  const rates = CALLERS.map((connections) => `req/s to PG, ${connections}`)
  return markdownTable(
    ['request', 'p50 ms', 'p99 ms', 'aim ms', ...rates, 'statements', 'files', 'kB read'],
    rows,
  )
}

/** Our requests a second to those of PostgreSQL, in the middle of the rounds. */
function toPostgres(timed: TimedCase<Lister> | undefined): number | null {
  return timed === undefined ? null : rateRatio(timed, 'ours', 'postgres')
}
