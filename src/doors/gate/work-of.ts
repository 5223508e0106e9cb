import type { Estimate } from '../../answers/records/estimate.ts'
import { DAY_MS } from '../../base/values/epoch-day.ts'
import type { Days } from '../../catalog/query/days.ts'
import type { RequestWork } from './costs.ts'

/** Milliseconds on one core of a small machine; `Costs` learns the difference to other machines. */
const costs = {
  answer: 0.5,
  rowOfPage: 0.01,
  file: 0.5,
  comparedMillionRows: 60,
  scannedMillionRows: 5,
  /** Reads and adds one sum; writes one row. */
  sumOfSeries: 0.0006,
  rowOfSeries: 0.005,
  /** Looks up a key in all tables. */
  lookup: 0.15,
  list: 1.5,
  value: 0.0015,
  /** Reads the log for a snapshot that is not in memory, or manifests. */
  log: 25,
  /** Reads, compares and writes the rewards of a hundred hotspots. */
  dayOfStatement: 100 * 0.02,
  /** Checks the statistics of a file, signs its address and writes its line. */
  sharedFile: 0.05,
}

/** Admits seven equal series of one client, which count twice. A browser sends six at once. */
const MOST_SERIES = 14

/** Returns the work of a request for a table; `name` is the operation's. */
export function workOf(name: string, { by, files, rows, compared, sums }: Estimate): RequestWork {
  const reading =
    compared === undefined
      ? files * costs.file + (rows / 1e6) * costs.scannedMillionRows
      : rows * costs.rowOfPage + (compared / 1e6) * costs.comparedMillionRows
  const kind = `${name} ${by}`
  if (sums === undefined) return { kind, ms: costs.answer + reading }
  const adding = sums.cells * costs.sumOfSeries + sums.rows * costs.rowOfSeries + sums.lookups * costs.lookup
  return { kind, ms: costs.answer + reading + adding, mostEquals: MOST_SERIES }
}

/** Returns the work of a statement over days, or of the first rows of one of its files. */
export function workOfStatement(part: 'summary' | 'file', { first, last }: Days): RequestWork {
  const days = (Date.parse(last) - Date.parse(first)) / DAY_MS + 1
  return {
    kind: `statement ${part}`,
    ms: costs.answer + days * costs.dayOfStatement,
    mostEquals: MOST_SERIES,
  }
}

/** Work of reading the log. */
export const readingLog: RequestWork = { kind: 'log', ms: costs.log }

/** Work of looking up keys. */
export const lookingUp: RequestWork = { kind: 'unknown', ms: costs.answer }

/** Work of a statement of SQL: a first estimate, which measurements correct. */
export const runningSql: RequestWork = { kind: 'sql', ms: 250 }

/** Work of sending log entries. */
export const sendingEntries: RequestWork = { kind: 'entries', ms: costs.log }

/** Returns the work of listing files of a shared table. */
export function workOfShared(files: number): RequestWork {
  return { kind: 'share', ms: costs.answer + files * costs.sharedFile }
}

/** Returns the work of a GraphQL query; `values` is an upper bound. */
export function workOfQuery({ lists, values, seriesMs = 0 }: QuerySize, readsLog: boolean): RequestWork {
  const ms = costs.answer + lists * costs.list + values * costs.value + seriesMs + (readsLog ? costs.log : 0)
  const kind = readsLog ? 'graphql log' : 'graphql'
  return seriesMs > 0 ? { kind: `${kind} series`, ms, mostEquals: MOST_SERIES } : { kind, ms }
}

interface QuerySize {
  readonly lists: number
  readonly values: number
  readonly seriesMs?: number | undefined
}
