import { Command, CommanderError } from 'commander'
import { errorTable } from '../../base/errors.ts'
import { visibleLines } from '../../base/visible.ts'
import { type SettingName, settingRows } from '../../settings/settings.ts'
import { besideSettings } from '../building/builder-beside.ts'
import { buildBeside } from '../commands/build-beside.ts'
import { buildDerivedAlone } from '../commands/build-derived.ts'
import { showConfig } from '../commands/config.ts'
import { runDoctor } from '../commands/doctor.ts'
import { listRejects } from '../commands/rejects.ts'
import { serve } from '../commands/serve.ts'
import { answerSql } from '../commands/sql/answer-sql.ts'
import { status } from '../commands/status.ts'
import { followLakeAlone } from '../commands/sync/follow-lake.ts'
import {
  type Flags,
  print,
  settingsFrom,
  settingsInForceFrom,
  withFlags,
  withSettings,
} from '../flags/with-settings.ts'
import { buildSettings } from '../serving/builder.ts'
import { followSettings } from '../serving/sync-keeper.ts'
import { addBackupCommands } from './backup-commands.ts'
import { comeHere } from './come-here.ts'
import { addExportCommand } from './export-command.ts'
import { addIngestCommand } from './ingest-command.ts'
import { addKeysCommands } from './keys-commands.ts'
import { addMaintenanceCommands } from './maintenance-commands.ts'
import { addMcpCommand } from './mcp-command.ts'
import { addSampleCommand } from './sample-command.ts'
import { addSqlCommands } from './sql-commands.ts'
import { addStatementCommand } from './statement-command.ts'
import { addSyncCommand } from './sync-command.ts'
import { addTrinoCommand } from './trino-command.ts'
import { addVerifyCommand } from './verify-command.ts'
import { versionText } from './version-text.ts'

/** Runs the command of some arguments; gives the exit code when they are wrong or help was asked for. Errors: those of commands. */
export async function runCommand(argv: readonly string[]): Promise<number | undefined> {
  try {
    await buildProgram(argv.includes('--json')).parseAsync(argv, { from: 'user' })
    return undefined
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return error.exitCode === 0 ? 0 : errorTable.malformed_request.exit
  }
}

/** The program with all its commands; `asJson` is for its version. */
export function buildProgram(asJson = false): Command {
  const program = withFlags(new Command('ledgerlake'), ['cache_dir'])
    .description('Exact answers about rewards, hotspots and the ledger, from one program over one folder.')
    .version(
      versionText(asJson),
      '-V, --version',
      'print the version and what it is built of; --json as JSON',
    )
    .configureHelp({ showGlobalOptions: true })
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({ writeErr: (text) => process.stderr.write(visibleLines(text)) })
    .hook('preAction', (given) => {
      const { cacheDir } = given.opts<{ readonly cacheDir?: string }>()
      if (cacheDir !== undefined) process.env.LEDGERLAKE_CACHE_DIR = cacheDir
    })
    .hook('preAction', (_program, command) => comeHere(command))
  addIngestCommand(program)
  addSyncCommand(program)
  addReadingCommands(program)
  addExportCommand(program)
  addStatementCommand(program)
  addSqlCommands(program)
  addMcpCommand(program)
  addTrinoCommand(program)
  addMaintenanceCommands(program)
  addBackupCommands(program)
  addVerifyCommand(program)
  addKeysCommands(program)
  addSampleCommand(program)
  return program
}

/** Commands that change no file of the lake. */
function addReadingCommands(program: Command): void {
  const others: readonly SettingName[] = ['ingest_commit_rows', 'cache_dir']
  const serving = settingRows.map(({ name }) => name).filter((name) => !others.includes(name))
  withSettings(
    program.command('serve').description('Answer REST and GraphQL requests from the lake.'),
    serving,
  ).action((flags: Flags) => serve(settingsFrom(flags), print))

  withSettings(
    program.command('build-derived', { hidden: true }).description('Part of serve.'),
    buildSettings,
  ).action((flags: Flags) => buildDerivedAlone(settingsFrom(flags)))

  withSettings(
    program.command('build-beside', { hidden: true }).description('Part of ingest.'),
    besideSettings,
  ).action((flags: Flags) => buildBeside(settingsFrom(flags)))

  program.command('answer-sql', { hidden: true }).description('Part of sql, mcp and serve.').action(answerSql)

  withSettings(
    program.command('follow-lake', { hidden: true }).description('Part of serve.'),
    followSettings,
  ).action((flags: Flags) => followLakeAlone(settingsFrom(flags)))

  withSettings(
    program
      .command('config')
      .description('Show the settings in force, and where each comes from: flag, environment, file, default.')
      .option('--json', 'print them as JSON'),
    settingRows.map(({ name }) => name),
  ).action((_flags: Flags, command: Command) => {
    const flags: Flags = command.optsWithGlobals()
    return showConfig(settingsInForceFrom(flags), flags.json === true, print)
  })

  withSettings(
    program
      .command('status')
      .description('Show what the lake holds: tables, rows, periods or blocks, disk use, missing days.')
      .option('--json', 'print it as JSON'),
    ['lake', 'state'],
  ).action((flags: Flags) => status(settingsFrom(flags), flags.json === true, print))

  withSettings(
    program
      .command('doctor')
      .description('Look for problems of the lake and its machine, and say what to do; nothing is written.')
      .option('--json', 'print the findings as JSON'),
    ['lake', 'state', 'keys'],
  ).action(async (flags: Flags) => {
    process.exitCode = await runDoctor(settingsFrom(flags), flags.json === true, print)
  })

  withSettings(
    program
      .command('rejects')
      .description('List the rejected messages of ingested files that were not ingested since.')
      .option('--json', 'print one JSON object a line, with the message in base64'),
    ['lake', 'state', 'engine_memory_mb', 'engine_threads'],
  ).action((flags: Flags) => listRejects(settingsFrom(flags), flags.json === true, print))
}
