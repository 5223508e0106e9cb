import { digits, digitsOr, markdownTable, whole } from '../support/markdown.ts'
import type { Result } from '../support/results.ts'

/** One list as one file. Seconds of the processor and megabytes are those of the server's process. */
export interface ExportCase {
  readonly format: string
  readonly columns: 'stored' | 'all'
  readonly rows: number
  readonly bytes: number
  readonly seconds: number
  readonly cpuSeconds: number
  readonly firstByteMs: number
  /** The longest time for which the event loop was kept. */
  readonly longestHoldMs: number
  /** Of resident memory, from before the list to its greatest. */
  readonly growthMb: number
  /** DuckDB's own COPY of the same stored columns to a file; null where it has no such format. */
  readonly copy: { readonly bytes: number; readonly seconds: number; readonly cpuSeconds: number } | null
}

export function exportTable({ cases }: Result<ExportCase>): string {
  const head = [
    'format',
    'columns',
    'rows',
    'MB',
    's',
    'MB/s',
    'MB/CPU s',
    'first byte ms',
    'longest hold ms',
    'growth MB',
  ]
  const rows = cases.map((one) => [
    one.format,
    one.columns,
    whole(one.rows),
    ...[one.bytes / 1e6, one.seconds, one.bytes / 1e6 / one.seconds, one.bytes / 1e6 / one.cpuSeconds].map(
      digits,
    ),
    ...[one.firstByteMs, one.longestHoldMs, one.growthMb].map(digits),
    ...[one.copy?.seconds, one.copy?.cpuSeconds, one.copy && one.copy.bytes / 1e6].map((value) =>
      digitsOr(value),
    ),
  ])
  return markdownTable([...head, 'COPY s', 'COPY CPU s', 'COPY MB'], rows)
}
