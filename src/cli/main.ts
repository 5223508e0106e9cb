import { existsSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { errorTable, fail, ServiceError, sentenceOf } from '../errors.ts'
import { type ArtifactKind, artifactKinds } from '../ingest/artifact.ts'
import type { BlockRange } from '../ingest/block-range.ts'
import { isStateKind } from '../ingest/kinds.ts'
import { version } from '../version.ts'
import { runIngest } from './commands/ingest.ts'
import { listRejects } from './commands/rejects.ts'
import { type SampleFlags, writeSample } from './commands/sample.ts'
import { serve } from './commands/serve.ts'
import { status } from './commands/status.ts'
import { blockRange, listedKinds, notEmpty, repeated, wholeNumber } from './program/flag-values.ts'
import { addKeysCommands } from './program/keys-commands.ts'
import { addMaintenanceCommands } from './program/maintenance-commands.ts'
import { type Flags, print, settingsFrom, withSettings } from './program/with-settings.ts'

/** Kinds separated by blanks would otherwise be looked for as files. */
function refuseKinds(paths: readonly string[]): void {
  const kind = paths.find((path) => artifactKinds.some((known) => known === path) && !existsSync(path))
  if (kind === undefined) return
  fail(
    'malformed_request',
    `${kind} is a kind, and there is no such path; several kinds are separated by commas: --only ${artifactKinds[1]},${artifactKinds[2]}`,
  )
}

function chosenKinds(flags: Flags): readonly ArtifactKind[] {
  const only = flags.only as readonly ArtifactKind[] | undefined
  const skip = (flags.skip as readonly ArtifactKind[] | undefined) ?? []
  return artifactKinds.filter((kind) => (only?.includes(kind) ?? true) && !skip.includes(kind))
}

function buildProgram(): Command {
  const program = new Command('ledgerlake')
    .description('Exact answers about rewards, hotspots and the ledger, from one program over one folder.')
    .version(version)
    .showSuggestionAfterError()
    .exitOverride()

  withSettings(
    program
      .command('ingest')
      .description(
        'Ingest oracle files, makers, hotspots and the ledger archive into the lake; files ingested before are skipped.',
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
        `replace whole tables with the given files: ${artifactKinds.filter(isStateKind).join(', ')}; other kinds are ingested as usual`,
      )
      .option(
        '--retry-rejects',
        'then decode rejected messages again, and ingest those that are valid by now',
      )
      .option('--json', 'print the summary as JSON'),
    ['lake', 'state', 'ingest_memory_mb', 'ingest_commit_rows', 'engine_threads'],
  ).action(async (paths: string[], flags: Flags) => {
    refuseKinds(paths)
    const options = {
      kinds: chosenKinds(flags),
      maxRejects: flags.maxRejects as number | undefined,
      replace: flags.replace === true,
      blocks: flags.blocks as BlockRange | undefined,
      replaceAll: flags.replaceAll === true,
      retryRejects: flags.retryRejects === true,
      json: flags.json === true,
    }
    process.exitCode = await runIngest(settingsFrom(flags), paths, options, print)
  })

  withSettings(program.command('serve').description('Answer REST and GraphQL requests from the lake.'), [
    'lake',
    'state',
    'host',
    'port',
    'open',
    'keys',
    'cors',
    'compat',
    'access_log',
    'most_requests',
    'network',
    'request_timeout_ms',
    'refresh_ms',
    'answer_memory_mb',
    'engine_memory_mb',
    'engine_threads',
    'engine_connections',
    'ingest_memory_mb',
  ]).action((flags: Flags) => serve(settingsFrom(flags), print))

  withSettings(
    program
      .command('status')
      .description('Show what the lake holds: tables, versions, rows, periods, missing days.')
      .option('--json', 'print it as JSON'),
    ['lake'],
  ).action((flags: Flags) => status(settingsFrom(flags), flags.json === true, print))

  withSettings(
    program
      .command('rejects')
      .description('List the rejected messages of ingested files that were not ingested since.')
      .option('--json', 'print one JSON object a line, with the message in base64'),
    ['lake', 'state', 'engine_memory_mb', 'engine_threads'],
  ).action((flags: Flags) => listRejects(settingsFrom(flags), flags.json === true, print))

  addMaintenanceCommands(program)
  addKeysCommands(program)

  program
    .command('sample')
    .description(
      'Write a made-up network: the oracle files of its days, its makers and hotspots, or with --l1 its past, the ledger archive. ' +
        'Both belong together when --seed and --hotspots are the same, and the same flags write the same bytes.',
    )
    .requiredOption('--out <DIR>', 'folder to write to', notEmpty)
    .option('--seed <S>', 'seed', '1')
    .option('--start <DATE>', 'first day, YYYY-MM-DD (default: 2025-01-15, with --l1 2019-07-29)')
    .option(
      '--hotspots <N>',
      'hotspots; of ten, seven are on the IoT network, two on the mobile one, and one on both',
      wholeNumber,
      1000,
    )
    .option('--days <N>', 'days of oracle files (default: 30)', wholeNumber)
    .option(
      '--missing-day <DATE>',
      'a rewarded day of which nothing is written, neither shares nor manifests; may be repeated',
      repeated,
    )
    .option(
      '--missing-manifest <DATE>',
      'a rewarded day whose manifests, of both networks, are not written; may be repeated',
      repeated,
    )
    .option(
      '--late-file <DATE>',
      'a rewarded day whose last file of shares, of each network, is written to <DIR>-late, to be ingested later; may be repeated',
      repeated,
    )
    .option('--l1', 'write the ledger archive, makers and hotspots, not oracle files')
    .option(
      '--transactions <N>',
      'with --l1: transactions; all other tables follow (default: 100000)',
      wholeNumber,
    )
    .option('--blocks <N>', 'with --l1: height of the chain (default: 1820000)', wholeNumber)
    .option('--part-rows <N>', 'with --l1: the most rows of one file (default: 3000000)', wholeNumber)
    .action((flags: SampleFlags) => writeSample(flags, print))
  return program
}

/** A reader that closes the pipe early, such as head, is no error. */
function leaveQuietlyOnClosedPipe(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') process.stderr.write(`ledgerlake: standard output: ${sentenceOf(error)}\n`)
    process.exit(error.code === 'EPIPE' ? 0 : errorTable.internal.exit)
  })
}

/** Runs one command and leaves with the exit code of the error table. */
export async function main(argv: readonly string[]): Promise<void> {
  leaveQuietlyOnClosedPipe()
  try {
    await buildProgram().parseAsync(argv, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode === 0 ? 0 : errorTable.malformed_request.exit
      return
    }
    process.stderr.write(`ledgerlake: ${sentenceOf(error)}\n`)
    if (!(error instanceof ServiceError) && process.env.NODE_DEBUG?.includes('ledgerlake')) {
      process.stderr.write(`${error instanceof Error ? error.stack : ''}\n`)
    }
    process.exitCode = error instanceof ServiceError ? error.exit : errorTable.internal.exit
  }
}
