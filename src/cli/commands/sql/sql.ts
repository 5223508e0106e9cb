import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { type Command, Option } from 'commander'
import { splitStatements } from '../../../answers/sql/split-statements.ts'
import { fail, sentenceOf } from '../../../base/errors.ts'
import { visibleLines } from '../../../base/visible.ts'
import { openLake } from '../../../lake/snapshot/lake.ts'
import { remoteFilesOf } from '../../../services/copies.ts'
import type { Settings } from '../../../services/settings/settings.ts'
import { ownSql, type SqlService } from '../../../services/sql.ts'
import { snapshotOf } from '../../at-snapshot.ts'
import { localPath, notEmpty } from '../../flags/flag-values.ts'
import { type Flags, settingsFrom, withSettings } from '../../flags/with-settings.ts'
import { findListFiles } from './list-files.ts'
import { type ResultFormat, resultFormats, runOne } from './result-formats.ts'
import { promptForStatements } from './sql-prompt.ts'

export function addSqlCommand(program: Command): void {
  withSettings(
    program
      .command('sql')
      .description(
        'Run one SELECT over the tables, and over earnings and other views that join them; without a statement, read statements from a prompt or a pipe.',
      )
      .argument('[statement]', 'such as: select token, sum(usd) from earnings group by token')
      .addOption(
        new Option('--format <FORMAT>', 'of the result').choices(resultFormats).default(resultFormats[0]),
      )
      .option(
        '--parameter <VALUE>',
        'of $1, $2 and so on, or of each ?: once for each value; it is cast to the type of its parameter',
        (value: string, values: readonly string[] = []) => [...values, value],
      )
      .option('--as-of <SNAPSHOT>', 'id of an older snapshot, or an instant (default: the newest)', notEmpty)
      .addOption(
        new Option(
          '--files <DIR>',
          'folder of exported files instead of a lake: hotspots.parquet, or .csv or .ndjson, is the table hotspots',
        )
          .argParser(localPath)
          .conflicts(['asOf', 'lake']),
      ),
    ['lake', 'state', 'engine_memory_mb', 'engine_threads'],
  ).action(async (statement: string | undefined, flags: Flags & SqlFlags) => {
    process.exitCode = await runSql(settingsFrom(flags), statement, flags)
  })
}

interface SqlFlags {
  readonly format: ResultFormat
  /** Values of parameters. */
  readonly parameter?: readonly string[]
  /** Id of a snapshot or an instant; default: the newest snapshot. */
  readonly asOf?: string
  readonly files?: string
}

/** Exit code of shells for a command ended by Ctrl-C. */
const CANCELLED = 130

/**
 * Runs the given statement, the statements of a pipe until one fails, or those of a prompt. Returns the exit code.
 * Errors: those of a statement, `malformed_request`; `gone` and others of the snapshot.
 */
async function runSql(
  settings: Settings,
  statement: string | undefined,
  { format, parameter: values, asOf, files }: SqlFlags,
): Promise<number> {
  if (format === 'parquet' && process.stdout.isTTY)
    fail(
      'malformed_request',
      '--format parquet writes a file to standard output, which is a terminal; redirect it: > FILE',
    )
  const sql = ownSql(settings)
  const session = files === undefined ? await openSnapshot(sql, settings, asOf) : await openFolder(sql, files)
  const run = (one: string, signal: AbortSignal) => runOne(session, one, format, signal, values)
  try {
    if (statement === undefined && process.stdin.isTTY) {
      await promptForStatements({ input: process.stdin, output: process.stdout }, async (one, signal) => {
        await run(one, signal).catch((error) =>
          process.stderr.write(`${signal.aborted ? 'cancelled' : visibleLines(sentenceOf(error))}\n`),
        )
      })
      return 0
    }
    return await untilCancelled(async (signal) => {
      for (const one of await statementsOf(statement, format)) await run(one, signal)
    })
  } finally {
    await session.close()
    await sql.close()
  }
}

async function openSnapshot(sql: SqlService, settings: Settings, asOf: string | undefined) {
  const lake = await openLake(settings.lake, remoteFilesOf(settings))
  return await sql.open(await snapshotOf(lake, asOf, new AbortController().signal))
}

async function openFolder(sql: SqlService, files: string) {
  return await sql.openFiles(resolve(files), await findListFiles(files))
}

async function statementsOf(statement: string | undefined, format: ResultFormat): Promise<readonly string[]> {
  const { ended, unended: rest } = splitStatements(statement ?? (await text(process.stdin)))
  const statements = rest === '' ? ended : [...ended, rest]
  const most = statement === undefined && format !== 'parquet' ? Number.POSITIVE_INFINITY : 1
  if (statements.length > most || (statement !== undefined && statements.length === 0))
    fail('malformed_request', `${statements.length} statements are given; give one.`)
  return statements
}

/** Runs `work`. The first Ctrl-C cancels it, the second ends the process. */
async function untilCancelled(work: (signal: AbortSignal) => Promise<void>): Promise<number> {
  const cancel = new AbortController()
  const onInterrupt = () => cancel.abort(new Error('cancelled'))
  process.once('SIGINT', onInterrupt)
  try {
    await work(cancel.signal)
    return 0
  } catch (error) {
    if (!cancel.signal.aborted) throw error
    process.stderr.write('ledgerlake: cancelled\n')
    return CANCELLED
  } finally {
    process.off('SIGINT', onInterrupt)
  }
}
