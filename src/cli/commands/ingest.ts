import { errorTable } from '../../errors.ts'
import type { ArtifactKind } from '../../ingest/artifact.ts'
import type { IngestSummary } from '../../ingest/counts.ts'
import { ingest } from '../../ingest/pipeline.ts'
import { openRowWriter } from '../../services.ts'
import type { Settings } from '../../settings.ts'
import { openProgressLine } from '../progress.ts'

export interface IngestOptions {
  readonly kinds: readonly ArtifactKind[]
  readonly maxRejects: number | undefined
  readonly replace: boolean
  readonly json: boolean
}

/** Ingests and prints a summary. Gives the exit code: 0 when every file of a known kind is in. */
export async function runIngest(
  settings: Settings,
  paths: readonly string[],
  options: IngestOptions,
  print: (line: string) => void,
): Promise<number> {
  const progress = openProgressLine(process.stderr)
  try {
    const summary = await ingest({
      lake: settings.lake,
      paths,
      kinds: options.kinds,
      maxRejects: options.maxRejects,
      replace: options.replace,
      commitRows: settings.ingest_commit_rows,
      openWriter: (spillFolder) => openRowWriter(settings, spillFolder),
      onProgress: progress.update,
    })
    progress.stop()
    if (options.json) print(JSON.stringify(summary, null, 2))
    else printSummary(summary, print)
    return summary.failed.length === 0 ? 0 : errorTable.source_unreadable.exit
  } finally {
    progress.stop()
  }
}

function printSummary(summary: IngestSummary, print: (line: string) => void): void {
  const rate = Math.round(summary.rows / Math.max(summary.seconds, 0.001))
  const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`
  print(
    `${plural(summary.read, 'file')} read: ${summary.stored} stored, ${summary.skipped} skipped (already in), ` +
      `${summary.failed.length} failed`,
  )
  print(
    `${plural(summary.rows, 'row')} stored, ${summary.refusedRows} refused, ` +
      `in ${summary.seconds.toFixed(1)} s (${rate} rows/s)`,
  )
  if (summary.unknown.length > 0) {
    print(`${plural(summary.unknown.length, 'file')} of a kind not yet known, skipped:`)
    for (const path of summary.unknown) print(`  ${path}`)
  }
  for (const { path, reason } of summary.failed) print(`failed: ${path}: ${reason}`)
}
