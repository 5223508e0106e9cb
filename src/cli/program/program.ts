import { Command, CommanderError } from 'commander'
import { errorTable } from '../../base/errors.ts'
import { commit, duckdbVersion, version } from '../../base/version.ts'
import { visibleLines } from '../../base/visible.ts'
import { FORMAT } from '../../lake/log/table-format.ts'
import { addBackupCommand } from '../commands/backup.ts'
import { addBuildDerivedCommand } from '../commands/build-derived.ts'
import { addCompactCommand } from '../commands/compact.ts'
import { addConfigCommand } from '../commands/config.ts'
import { addDoctorCommand } from '../commands/doctor.ts'
import { addEarningsCommand } from '../commands/earnings.ts'
import { addExportCommand } from '../commands/export.ts'
import { addIngestCommand } from '../commands/ingest.ts'
import { addKeysCommand } from '../commands/keys.ts'
import { addMcpCommand } from '../commands/mcp.ts'
import { addRejectsCommand } from '../commands/rejects.ts'
import { addRestoreCommand } from '../commands/restore.ts'
import { addSampleCommand } from '../commands/sample.ts'
import { addServeCommand } from '../commands/serve.ts'
import { addAnswerSqlCommand } from '../commands/sql/answer-sql.ts'
import { addSqlCommand } from '../commands/sql/sql.ts'
import { addViewsCommand } from '../commands/sql/views.ts'
import { addStatementCommand } from '../commands/statement.ts'
import { addStatusCommand } from '../commands/status.ts'
import { addFollowLakeCommand } from '../commands/sync/follow-lake.ts'
import { addSyncCommand } from '../commands/sync/sync.ts'
import { addTrinoCommand } from '../commands/trino.ts'
import { addVacuumCommand } from '../commands/vacuum.ts'
import { addVerifyCommand } from '../commands/verify.ts'
import { withFlags } from '../flags/with-settings.ts'
import { prepareBucketCopy } from './prepare-bucket-copy.ts'

/**
 * Runs a command; returns the exit code for wrong arguments or help, otherwise undefined. Errors: those of commands.
 */
export async function runCommand(argv: readonly string[]): Promise<number | undefined> {
  try {
    await buildProgram(argv.includes('--json')).parseAsync(argv, { from: 'user' })
    return undefined
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return error.exitCode === 0 ? 0 : errorTable.malformed_request.exit
  }
}

/** Commands in the order of the help. */
const commands: readonly ((program: Command) => void)[] = [
  addIngestCommand,
  addSyncCommand,
  addServeCommand,
  addBuildDerivedCommand,
  addAnswerSqlCommand,
  addFollowLakeCommand,
  addConfigCommand,
  addStatusCommand,
  addDoctorCommand,
  addRejectsCommand,
  addExportCommand,
  addEarningsCommand,
  addStatementCommand,
  addSqlCommand,
  addViewsCommand,
  addMcpCommand,
  addTrinoCommand,
  addCompactCommand,
  addVacuumCommand,
  addBackupCommand,
  addRestoreCommand,
  addVerifyCommand,
  addKeysCommand,
  addSampleCommand,
]

/** Builds the program with all commands; `asJson` is the form of `--version`. */
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
    .hook('preAction', (_program, command) => prepareBucketCopy(command))
  for (const addCommand of commands) addCommand(program)
  return program
}

/** Returns the output of `--version`: the version on the first line, then the parts of the program. */
function versionText(asJson: boolean): string {
  const { node } = process.versions
  if (asJson) return JSON.stringify({ version, node, duckdb: duckdbVersion, dataFormat: FORMAT, commit })
  return `${version}\nNode ${node}\nDuckDB ${duckdbVersion}\ndata format ${FORMAT}\ncommit ${commit}`
}
