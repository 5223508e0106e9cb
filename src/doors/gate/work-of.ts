import type { Estimate } from '../../answers/records/estimate.ts'
import type { Work } from './costs.ts'

/** Measured on one core of a small machine, in ms; what differs elsewhere is learned from the answers. */
const ms = {
  answer: 0.5,
  rowOfPage: 0.01,
  file: 0.5,
  comparedMillionRows: 60,
  scannedMillionRows: 5,
  /** Reading a sum of a series and adding it up, and writing a row of it. */
  sumOfSeries: 0.0006,
  rowOfSeries: 0.005,
  /** Looking whether anything has a key, in one table after another. */
  lookup: 0.15,
  list: 1.5,
  value: 0.0015,
  /** Reading the log for a snapshot that is not in memory, or manifests. */
  log: 25,
  /** The rewards of a hotspot of a day, of which an owner is taken to have a hundred: reading, comparing and writing them. */
  dayOfStatement: 100 * 0.02,
  /** Choosing a file by its statistics, signing its address and writing its line. */
  sharedFile: 0.05,
}

/** A caller has seven series of the same cost accepted, which count twice: a browser asks for six at once. */
const MOST_SERIES = 14

/** The work of an answer to one request of a table; `name` is that of its operation. */
export function workOf(name: string, { by, files, rows, compared, sums }: Estimate): Work {
  const reading =
    compared === undefined
      ? files * ms.file + (rows / 1e6) * ms.scannedMillionRows
      : rows * ms.rowOfPage + (compared / 1e6) * ms.comparedMillionRows
  const kind = `${name} ${by}`
  if (sums === undefined) return { kind, ms: ms.answer + reading }
  const adding = sums.cells * ms.sumOfSeries + sums.rows * ms.rowOfSeries + sums.lookups * ms.lookup
  return { kind, ms: ms.answer + reading + adding, mostEquals: MOST_SERIES }
}

/** The work of a statement of so many days, or of the beginning of one of its files. */
export function workOfStatement(what: 'summary' | 'file', days: number): Work {
  return { kind: `statement ${what}`, ms: ms.answer + days * ms.dayOfStatement, mostEquals: MOST_SERIES }
}

/** The work of reading the log, and of what follows from it. */
export const readingLog: Work = { kind: 'log', ms: ms.log }

/** The work of looking whether anything has a key. */
export const lookingUp: Work = { kind: 'unknown', ms: ms.answer }

/** The work of sending entries of the log. */
export const sendingEntries: Work = { kind: 'entries', ms: ms.log }

/** The work of telling the files of a shared table. */
export function workOfShared(files: number): Work {
  return { kind: 'share', ms: ms.answer + files * ms.sharedFile }
}

/** The work of a query of GraphQL that asks for so many lists, and for so many values at most, besides series that take `seriesMs`. */
export function workOfQuery({ lists, values, seriesMs = 0 }: QuerySize, readsLog: boolean): Work {
  const own = ms.answer + lists * ms.list + values * ms.value + seriesMs
  const all = readsLog ? own + ms.log : own
  const kind = readsLog ? 'graphql log' : 'graphql'
  return seriesMs > 0 ? { kind: `${kind} series`, ms: all, mostEquals: MOST_SERIES } : { kind, ms: all }
}

interface QuerySize {
  readonly lists: number
  readonly values: number
  readonly seriesMs?: number | undefined
}
