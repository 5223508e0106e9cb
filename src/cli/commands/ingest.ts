import { errorTable, fail } from '../../errors.ts'
import { type ArtifactKind, artifactKinds } from '../../ingest/artifact.ts'
import type { BlockRange } from '../../ingest/block-range.ts'
import type { IngestSummary } from '../../ingest/counts.ts'
import { isStateKind } from '../../ingest/kinds.ts'
import { ingest } from '../../ingest/pipeline.ts'
import { type RetrySummary, retryRejects } from '../../ingest/retry.ts'
import { buildDerived, openRowWriter } from '../../services.ts'
import type { Settings } from '../../settings.ts'
import { lowerPriority } from '../lower-priority.ts'
import { openProgressLine } from '../progress.ts'
import { visible } from '../terminal-text.ts'

export interface IngestOptions {
  readonly kinds: readonly ArtifactKind[]
  readonly maxRejects: number | undefined
  readonly replace: boolean
  readonly blocks: BlockRange | undefined
  /** The files of makers, hotspots and other states become the whole of their tables. */
  readonly replaceAll: boolean
  /** Looks at the rejects of earlier runs, and of this one, after the paths. */
  readonly retryRejects: boolean
  readonly json: boolean
}

/**
 * Ingests and prints a summary. Gives the exit code: 0 when every file of a known kind is in.
 * Errors: `malformed_request` when there is nothing to do.
 */
export async function runIngest(
  settings: Settings,
  paths: readonly string[],
  options: IngestOptions,
  print: (line: string) => void,
): Promise<number> {
  if (paths.length === 0 && !options.retryRejects) {
    fail(
      'malformed_request',
      "missing required argument 'path': files and folders are accepted, or --retry-rejects without any",
    )
  }
  if (paths.length === 0 && options.replaceAll) {
    fail(
      'malformed_request',
      `--replace-all is given without a 'path'; files of ${artifactKinds.filter(isStateKind).join(', ')} are accepted`,
    )
  }
  lowerPriority()
  const summary = paths.length === 0 ? undefined : await takeIn(settings, paths, options)
  if (!options.json && summary !== undefined) printSummary(summary, print)
  const retry = options.retryRejects ? await retryRejects(requestOf(settings, options)) : undefined
  if (options.json) print(JSON.stringify({ ...summary, ...(retry && { retry }) }, null, 2))
  else if (retry !== undefined) printRetry(retry, print)
  await buildDerived(settings, (line) => process.stderr.write(`${line}\n`))
  return summary === undefined || summary.failed.length === 0 ? 0 : errorTable.source_unreadable.exit
}

function requestOf(settings: Settings, { kinds }: IngestOptions) {
  const openWriter = (spillFolder: string) => openRowWriter(settings, spillFolder)
  return { lake: settings.lake, kinds, openWriter }
}

async function takeIn(
  settings: Settings,
  paths: readonly string[],
  options: IngestOptions,
): Promise<IngestSummary> {
  const progress = openProgressLine(process.stderr)
  try {
    return await ingest({
      ...requestOf(settings, options),
      paths,
      maxRejects: options.maxRejects,
      replace: options.replace,
      blocks: options.blocks,
      replaceAll: options.replaceAll,
      commitRows: settings.ingest_commit_rows,
      onProgress: progress.update,
    })
  } finally {
    progress.stop()
  }
}

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

function printRetry(
  { rejects, taken, refused, leftAlone, seconds }: RetrySummary,
  print: (line: string) => void,
): void {
  print(
    `${plural(rejects, 'refused message')} looked at: ${taken} taken in, ${refused} still refused, ` +
      `in ${seconds.toFixed(1)} s`,
  )
  if (leftAlone === 0) return
  const left = plural(leftAlone, 'refused record')
  print(`${left} left alone: only a file with other bytes mends that, with --replace`)
}

function printSummary(summary: IngestSummary, print: (line: string) => void): void {
  const rate = Math.round(summary.rows / Math.max(summary.seconds, 0.001))
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
  if (summary.withoutBlocks.length > 0) {
    print(`${plural(summary.withoutBlocks.length, 'file')} without blocks, left alone by --blocks:`)
    for (const path of summary.withoutBlocks) print(`  ${path}`)
  }
  for (const { path, reason } of summary.failed) print(visible(`failed: ${path}: ${reason}`))
}
