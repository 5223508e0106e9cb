import { existsSync } from 'node:fs'
import { errorTable, fail } from '../../base/errors.ts'
import { visible } from '../../base/visible.ts'
import { committing } from '../../services/copies.ts'
import type { Settings } from '../../settings/settings.ts'
import type { IngestSummary } from '../../write/ingest/counts.ts'
import { isStateKind } from '../../write/ingest/decode/kinds.ts'
import { type ArtifactKind, artifactKinds } from '../../write/ingest/files/artifact.ts'
import type { BlockRange } from '../../write/ingest/files/block-range.ts'
import { ingest } from '../../write/ingest/pipeline.ts'
import { type RetrySummary, retryRejects } from '../../write/ingest/retry.ts'
import { type Building, openBuilding } from '../building/build-with-steps.ts'
import { lowerPriority } from '../lower-priority.ts'
import { openProgressLine } from '../progress.ts'
import type { Print } from '../terminal-text.ts'

/** Flags as they are given; those without a value are true or missing. */
export interface IngestFlags {
  readonly only?: readonly ArtifactKind[]
  readonly skip?: readonly ArtifactKind[]
  readonly maxRejects?: number
  readonly blocks?: BlockRange
  readonly replace?: true
  /** The files of makers, hotspots and other states become the whole of their tables. */
  readonly replaceAll?: true
  /** Looks at the rejects of earlier runs, and of this one, after the paths. */
  readonly retryRejects?: true
  readonly json?: true
}

/**
 * Ingests and prints a summary. Gives the exit code: 0 when every file of a known kind was ingested.
 * Errors: `malformed_request` when there is nothing to do, or when a path is the name of a kind.
 */
export async function runIngest(
  settings: Settings,
  paths: readonly string[],
  flags: IngestFlags,
  print: Print,
): Promise<number> {
  const { json, retryRejects: retries } = flags
  refusePaths(paths, flags)
  lowerPriority()
  const building = openBuilding(settings)
  try {
    const summary = paths.length === 0 ? undefined : await ingestPaths(settings, paths, flags, building)
    if (!json && summary !== undefined) printSummary(summary, print)
    const retry = retries ? await retryRejects(requestOf(settings, flags)) : undefined
    if (json) print(JSON.stringify({ ...summary, ...(retry && { retry }) }, null, 2))
    else if (retry !== undefined) printRetry(retry, print)
    await building.finish()
    return summary === undefined || summary.failed.length === 0 ? 0 : errorTable.source_unreadable.exit
  } finally {
    building.close()
  }
}

function refusePaths(paths: readonly string[], flags: IngestFlags): void {
  const { replaceAll, retryRejects } = flags
  if (paths.length === 0 && !retryRejects) {
    fail(
      'malformed_request',
      "missing required argument 'path': name files or folders, or use --retry-rejects",
    )
  }
  if (paths.length === 0 && replaceAll) {
    const states = artifactKinds.filter(isStateKind).join(', ')
    fail('malformed_request', `--replace-all needs a 'path' with files of ${states}`)
  }
  refuseIdle(paths, flags)
  // Kinds separated by blanks would otherwise be looked for as files.
  const kind = paths.find((path) => artifactKinds.some((known) => known === path) && !existsSync(path))
  if (kind === undefined) return
  const example = `--only ${artifactKinds[1]},${artifactKinds[2]}`
  fail('malformed_request', `There is no path ${kind}, which is a kind; separate kinds by commas: ${example}`)
}

/** Flags about files that are named. */
const ofPaths = { maxRejects: '--max-rejects', blocks: '--blocks', replace: '--replace' } as const

/** A flag that would do nothing may be meant for something else. */
function refuseIdle(paths: readonly string[], flags: IngestFlags): void {
  const idle = Object.entries(ofPaths).find(([name]) => name in flags)?.[1]
  if (paths.length === 0 && idle !== undefined)
    fail(
      'malformed_request',
      `${idle} has no effect with --retry-rejects alone; name files or folders, or leave it out`,
    )
}

function requestOf(settings: Settings, { only = artifactKinds, skip = [] }: IngestFlags) {
  const kinds = artifactKinds.filter((kind) => only.includes(kind) && !skip.includes(kind))
  return { ...committing(settings), kinds }
}

async function ingestPaths(
  settings: Settings,
  paths: readonly string[],
  flags: IngestFlags,
  building: Building,
): Promise<IngestSummary> {
  const progressLine = openProgressLine(process.stderr)
  try {
    return await ingest({
      ...requestOf(settings, flags),
      paths,
      maxRejects: flags.maxRejects,
      replace: flags.replace === true,
      blocks: flags.blocks,
      replaceAll: flags.replaceAll === true,
      commitRows: settings.ingest_commit_rows,
      onProgress(progress) {
        progressLine.update(progress)
        building.expect(progress.rows)
      },
    })
  } finally {
    progressLine.stop()
  }
}

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

function printRetry({ rejects, taken, refused, leftAlone, seconds }: RetrySummary, print: Print): void {
  print(
    `${plural(rejects, 'refused message')} decoded again: ${taken} ingested, ${refused} still refused, ` +
      `in ${seconds.toFixed(1)} s`,
  )
  if (leftAlone === 0) return
  const left = plural(leftAlone, 'refused record')
  print(`${left} left alone: ingest a corrected file with --replace`)
}

function printSummary(summary: IngestSummary, print: Print): void {
  const rate = Math.round(summary.rows / Math.max(summary.seconds, 0.001))
  print(
    `${plural(summary.read, 'file')} read: ${summary.stored} stored, ${summary.skipped} skipped (already in), ` +
      `${summary.failed.length} failed`,
  )
  print(
    `${plural(summary.rows, 'row')} stored, ${summary.refusedRows} refused, ` +
      `in ${summary.seconds.toFixed(1)} s (${rate} rows/s)`,
  )
  if (summary.read + summary.unknown.length + summary.unsupported.length === 0)
    print('There is no file in the folders that were given.')
  if (summary.unknown.length > 0) {
    print(`${plural(summary.unknown.length, 'file')} of a kind not yet known, skipped:`)
    for (const path of summary.unknown) print(`  ${path}`)
  }
  if (summary.unsupported.length > 0) {
    print(`${plural(summary.unsupported.length, 'file')} of rewards that cannot be read, skipped:`)
    for (const { path, reason } of summary.unsupported) print(visible(`  ${path}: ${reason}`))
  }
  if (summary.withoutBlocks.length > 0) {
    print(`${plural(summary.withoutBlocks.length, 'file')} without blocks, left alone by --blocks:`)
    for (const path of summary.withoutBlocks) print(`  ${path}`)
  }
  for (const { path, reason } of summary.failed) print(visible(`failed: ${path}: ${reason}`))
}
