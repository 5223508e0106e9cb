import type { Command } from 'commander'
import { errorTable } from '../../base/errors.ts'
import { commitTarget } from '../../services/copies.ts'
import { writerSettings } from '../../services/row-writer.ts'
import type { Settings } from '../../services/settings/settings.ts'
import { isStateKind } from '../../write/ingest/decode/kinds.ts'
import { artifactKinds } from '../../write/ingest/files/artifact.ts'
import type { IngestSummary } from '../../write/ingest/ingest-counts.ts'
import { ingest } from '../../write/ingest/pipeline.ts'
import { retryRejects } from '../../write/ingest/retry.ts'
import { type Building, openBuilding } from '../building/build-with-steps.ts'
import { blockRange, listedKinds, wholeNumber } from '../flags/flag-values.ts'
import { type Flags, settingsFrom, withSettings } from '../flags/with-settings.ts'
import { lowerPriority } from '../lower-priority.ts'
import { openProgressLine } from '../progress.ts'
import { printJson } from '../terminal-text.ts'
import { type IngestFlags, refusePaths } from './ingest/ingest-flags.ts'
import { printRetry, printSummary } from './ingest/print-summary.ts'

export function addIngestCommand(program: Command): void {
  const states = artifactKinds.filter(isStateKind).join(', ')
  const command = program
    .command('ingest')
    .description(
      'Ingest oracle files, makers, hotspots, the ledger archive, and exports; files already ingested are skipped.',
    )
    .argument('[path...]', 'files and folders; none are needed for --retry-rejects')
    .option(
      '--only <kinds>',
      `ingest only these kinds, separated by commas: ${artifactKinds.join(', ')}`,
      listedKinds,
    )
    .option('--skip <kinds>', 'leave out these kinds, separated by commas', listedKinds)
    .option(
      '--max-rejects <n>',
      'rejected messages or records that a file may have (default: 10, or 1 %)',
      wholeNumber,
    )
    .option(
      '--blocks <A..B>',
      'ingest only records of blocks A to B, both included; A.. and ..B are open ranges',
      blockRange,
    )
    .option('--replace', 'replace the rows of a file that was ingested before and has other bytes now')
    .option(
      '--replace-all',
      `replace whole tables with the given files: ${states}; other kinds are ingested as usual`,
    )
    .option('--retry-rejects', 'then decode rejected messages again, and ingest those that are valid by now')
    .option('--json', 'print the summary as JSON')
  withSettings(command, ['lake', 'state', ...writerSettings, 'ingest_commit_rows']).action(
    async (paths: string[], flags: Flags & IngestFlags) => {
      process.exitCode = await runIngest(settingsFrom(flags), paths, flags)
    },
  )
}

/**
 * Ingests files and prints a summary. Returns the exit code: 0 if every file of a known kind was ingested.
 * Errors: `malformed_request` if there is nothing to do, or if a path is the name of a kind.
 */
async function runIngest(settings: Settings, paths: readonly string[], flags: IngestFlags): Promise<number> {
  const { json, retryRejects: retries } = flags
  refusePaths(paths, flags)
  lowerPriority()
  const building = openBuilding(settings)
  try {
    const summary = paths.length === 0 ? undefined : await ingestPaths(settings, paths, flags, building)
    if (!json && summary !== undefined) printSummary(summary, paths)
    const retry = retries ? await retryRejects(requestOf(settings, flags)) : undefined
    if (json) printJson({ ...summary, ...(retry && { retry }) })
    else if (retry !== undefined) printRetry(retry)
    await building.finish()
    return summary === undefined || summary.failed.length === 0 ? 0 : errorTable.source_unreadable.exit
  } finally {
    building.close()
  }
}

function requestOf(settings: Settings, { only = artifactKinds, skip = [] }: IngestFlags) {
  const kinds = artifactKinds.filter((kind) => only.includes(kind) && !skip.includes(kind))
  return { ...commitTarget(settings), kinds }
}

async function ingestPaths(
  settings: Settings,
  paths: readonly string[],
  flags: IngestFlags,
  building: Building,
): Promise<IngestSummary> {
  const { maxRejects, replace = false, replaceAll = false, blocks } = flags
  const progressLine = openProgressLine(process.stderr)
  try {
    return await ingest({
      ...requestOf(settings, flags),
      paths,
      ...{ maxRejects, replace, replaceAll, blocks, commitRows: settings.ingest_commit_rows },
      onProgress(progress) {
        progressLine.update(progress)
        building.expect(progress.rows)
      },
    })
  } finally {
    progressLine.stop()
  }
}
