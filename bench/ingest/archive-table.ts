import { digits, digitsOr, markdownTable, whole } from '../support/markdown.ts'
import { median } from '../support/percentiles.ts'
import type { Result } from '../support/results.ts'

/** One table of the ledger archive, ingested several times, each into a fresh lake. */
export interface ArchiveCase {
  readonly table: string
  readonly rows: number
  readonly gzipBytes: number
  /** Bytes of the files of the table in the lake. */
  readonly storedBytes: number
  readonly runs: readonly {
    /** From the first byte read to the last commit, without the indexes that follow. */
    readonly seconds: number
    readonly peakMb: number | null
  }[]
}

/** Medians over the runs. */
export function archiveTable({ cases }: Result<ArchiveCase>): string {
  const rows = cases.map(({ table, rows, gzipBytes, storedBytes, runs }) => {
    const seconds = runs.map((run) => run.seconds)
    const peaks = runs.flatMap(({ peakMb }) => (peakMb === null ? [] : [peakMb]))
    return [
      table,
      whole(rows),
      digits(gzipBytes / rows),
      digits(storedBytes / rows),
      whole(rows / median(seconds)),
      `${digits(median(seconds))} (${digits(Math.min(...seconds))} to ${digits(Math.max(...seconds))})`,
      digitsOr(peaks.length === 0 ? null : median(peaks)),
    ]
  })
  return markdownTable(
    [
      'table',
      'rows',
      'bytes of gzip a row',
      'bytes stored a row',
      'rows/s',
      'seconds (least to most)',
      'peak MB',
    ],
    rows,
  )
}
