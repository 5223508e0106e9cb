import { visible } from '../../../base/visible.ts'
import type { IngestSummary } from '../../../write/ingest/ingest-counts.ts'
import type { RetrySummary } from '../../../write/ingest/retry.ts'
import { counted, print } from '../../terminal-text.ts'

export function printRetry({ rejects, taken, refused, leftAlone, seconds }: RetrySummary): void {
  print(
    `${counted(rejects, 'refused message')} decoded again: ${taken} ingested, ${refused} still refused, ` +
      `in ${seconds.toFixed(1)} s`,
  )
  if (leftAlone === 0) return
  const left = counted(leftAlone, 'refused record')
  print(`${left} left alone: ingest a corrected file with --replace`)
}

export function printSummary(summary: IngestSummary, paths: readonly string[]): void {
  const rate = Math.round(summary.rows / Math.max(summary.seconds, 0.001))
  print(
    `${counted(summary.read, 'file')} read: ${summary.stored} stored, ${summary.skipped} skipped (already in), ` +
      `${summary.failed.length} failed`,
  )
  print(
    `${counted(summary.rows, 'row')} stored, ${summary.refusedRows} refused, ` +
      `in ${summary.seconds.toFixed(1)} s (${rate} rows/s)`,
  )
  if (summary.read + summary.unknown.length + summary.unsupported.length === 0)
    print(visible(`Nothing to ingest: no file in ${paths.join(', ')}`))
  if (summary.unknown.length > 0) {
    print(`${counted(summary.unknown.length, 'file')} of a kind not yet known, skipped:`)
    for (const path of summary.unknown) print(`  ${path}`)
  }
  if (summary.unsupported.length > 0) {
    print(`${counted(summary.unsupported.length, 'file')} of rewards that cannot be read, skipped:`)
    for (const { path, reason } of summary.unsupported) print(visible(`  ${path}: ${reason}`))
  }
  if (summary.withoutBlocks.length > 0) {
    print(`${counted(summary.withoutBlocks.length, 'file')} without blocks, left alone by --blocks:`)
    for (const path of summary.withoutBlocks) print(`  ${path}`)
  }
  for (const { path, reason } of summary.failed) print(visible(`failed: ${path}: ${reason}`))
}
