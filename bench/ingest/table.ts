import { digits, digitsOr, markdownTable, whole } from '../support/markdown.ts'
import type { OracleFiles, Workload } from '../support/network.ts'
import { median } from '../support/percentiles.ts'
import type { Result } from '../support/results.ts'

/** One ingest into a fresh lake, and a second one of the same files into that lake. */
export interface IngestRun {
  readonly seconds: number
  readonly cpuSeconds: number | null
  readonly peakMb: number | null
  readonly again: { readonly seconds: number; readonly peakMb: number | null }
}

export interface IngestCase {
  readonly workload: Workload
  readonly input: Omit<OracleFiles, 'folder'>
  readonly rows: number
  /** Data files of both share tables, divided by their rows. */
  readonly bytesPerShare: number
  /** Facts that were compared with the generators before anything was written down. */
  readonly factsChecked: number
  /** Seconds to gunzip the same files and do nothing else, on one core. */
  readonly gunzipSeconds: readonly number[]
  readonly runs: readonly IngestRun[]
}

/** Medians over the runs. */
export function ingestTables({ cases }: Result<IngestCase>): string {
  const inputs = cases.map(({ workload, input }) => [
    workload.name,
    whole(input.files),
    whole(input.shares),
    whole(input.frames),
    digits(input.bytes / 2 ** 20),
  ])
  const rates = cases.map((item) => {
    const seconds = median(item.runs.map((run) => run.seconds))
    return [
      item.workload.name,
      whole(item.input.shares / seconds),
      whole(item.rows / seconds),
      whole(item.input.frames / seconds),
      secondsOf(item.runs.map((run) => run.seconds)),
      digitsOr(medianOf(item.runs.map((run) => run.cpuSeconds))),
      digits(seconds / median(item.gunzipSeconds)),
    ]
  })
  const sizes = cases.map((item) => [
    item.workload.name,
    digitsOr(medianOf(item.runs.map((run) => run.peakMb))),
    digits(item.bytesPerShare),
    secondsOf(item.runs.map((run) => run.again.seconds)),
    digitsOr(medianOf(item.runs.map((run) => run.again.peakMb))),
  ])
  return [
    markdownTable(['network', 'files', 'shares', 'frames', 'MB of gzip'], inputs),
    markdownTable(
      ['network', 'shares/s', 'rows/s', 'frames/s', 'seconds (least to most)', 'CPU seconds', 'times gunzip'],
      rates,
    ),
    markdownTable(
      ['network', 'peak MB', 'bytes per share', 'again: seconds (least to most)', 'again: peak MB'],
      sizes,
    ),
  ].join('\n\n')
}

function secondsOf(seconds: readonly number[]): string {
  return `${digits(median(seconds))} (${digits(Math.min(...seconds))} to ${digits(Math.max(...seconds))})`
}

function medianOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : median(known)
}
