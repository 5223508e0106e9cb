import { Command, CommanderError } from 'commander'
import { errorTable } from '../../errors.ts'
import { settingRows } from '../../settings.ts'
import { version } from '../../version.ts'
import { listRejects } from '../commands/rejects.ts'
import { type SampleFlags, writeSample } from '../commands/sample.ts'
import { serve } from '../commands/serve.ts'
import { status } from '../commands/status.ts'
import { notEmpty, wholeNumber } from './flag-values.ts'
import { addIngestCommand } from './ingest-command.ts'
import { addKeysCommands } from './keys-commands.ts'
import { addMaintenanceCommands } from './maintenance-commands.ts'
import { addSqlCommands } from './sql-commands.ts'
import { type Flags, print, settingsFrom, withSettings } from './with-settings.ts'

/** Runs the command of some arguments; gives the exit code when they are wrong or help was asked for. Errors: those of commands. */
export async function runCommand(argv: readonly string[]): Promise<number | undefined> {
  try {
    await buildProgram().parseAsync(argv, { from: 'user' })
    return undefined
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return error.exitCode === 0 ? 0 : errorTable.malformed_request.exit
  }
}

function buildProgram(): Command {
  const program = new Command('ledgerlake')
    .description('Exact answers about rewards, hotspots and the ledger, from one program over one folder.')
    .version(version)
    .showSuggestionAfterError()
    .exitOverride()
  addIngestCommand(program)
  addReadingCommands(program)
  addSqlCommands(program)
  addMaintenanceCommands(program)
  addKeysCommands(program)
  addSampleCommand(program)
  return program
}

/** Commands that change no file of the lake. */
function addReadingCommands(program: Command): void {
  const serving = settingRows.map(({ name }) => name).filter((name) => name !== 'ingest_commit_rows')
  withSettings(
    program.command('serve').description('Answer REST and GraphQL requests from the lake.'),
    serving,
  ).action((flags: Flags) => serve(settingsFrom(flags), print))

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
}

function addSampleCommand(program: Command): void {
  program
    .command('sample')
    .description('Write the files of a made-up network, the same bytes for the same seed.')
    .requiredOption('--out <DIR>', 'folder to write to', notEmpty)
    .option('--seed <S>', 'seed', '1')
    .option('--start <DATE>', 'first day, YYYY-MM-DD (default: 2025-01-15, with --l1 2019-07-29)')
    .option(
      '--hotspots <N>',
      'IoT hotspots (default: 1000, with --l1 hotspots of both networks, one for 10 transactions)',
      wholeNumber,
    )
    .option('--days <N>', 'days of oracle files (default: 30)', wholeNumber)
    .option('--l1', 'write the ledger archive, makers and hotspots, not oracle files')
    .option(
      '--transactions <N>',
      'with --l1: transactions; all other tables follow (default: 100000)',
      wholeNumber,
    )
    .option('--blocks <N>', 'with --l1: height of the chain (default: 1820000)', wholeNumber)
    .option('--part-rows <N>', 'with --l1: the most rows of one file (default: 3000000)', wholeNumber)
    .action((flags: SampleFlags) => writeSample(flags, print))
}
