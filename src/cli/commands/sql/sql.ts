import { createReadStream } from 'node:fs'
import { text } from 'node:stream/consumers'
import type { StatementRunner } from '../../../answers/sql/process/statement-runner.ts'
import { splitStatements } from '../../../answers/sql/split-statements.ts'
import type { CheckedStatement } from '../../../answers/sql/sql-session.ts'
import { fail, sentenceOf } from '../../../base/errors.ts'
import { visibleLines } from '../../../base/visible.ts'
import { openPinnedSnapshots } from '../../../doors/snapshots/pinned-snapshots.ts'
import { openLake } from '../../../lake/snapshot/lake.ts'
import type { Snapshot } from '../../../lake/snapshot/snapshot.ts'
import { ownSql } from '../../../services/sql.ts'
import type { Settings } from '../../../settings/settings.ts'
import { writeTable } from './result-table.ts'
import { promptForStatements } from './sql-prompt.ts'

export const resultFormats = ['table', 'csv', 'ndjson', 'parquet'] as const

type ResultFormat = (typeof resultFormats)[number]

export interface SqlFlags {
  readonly format: ResultFormat
  /** A snapshot's id or an instant; the newest snapshot without one. */
  readonly asOf?: string
}

/** As shells say of a command that Ctrl-C ended. */
const CANCELLED = 130

/**
 * Runs the statement, those of a pipe up to the first that fails, or those of a prompt. Gives the exit code.
 * Errors: those of a statement, `malformed_request`; `gone` and others of the snapshot.
 */
export async function runSql(
  settings: Settings,
  statement: string | undefined,
  { format, asOf }: SqlFlags,
): Promise<number> {
  if (format === 'parquet' && process.stdout.isTTY)
    fail(
      'malformed_request',
      '--format parquet writes a file to standard output, which is a terminal; redirect it: > FILE',
    )
  const sql = ownSql(settings)
  const session = await sql.open(await snapshotOf(settings, asOf))
  const run = (one: string, signal: AbortSignal) => runOne(session, one, format, signal)
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

async function statementsOf(statement: string | undefined, format: ResultFormat): Promise<readonly string[]> {
  const { ended, unended: rest } = splitStatements(statement ?? (await text(process.stdin)))
  const statements = rest === '' ? ended : [...ended, rest]
  const most = statement === undefined && format !== 'parquet' ? Number.POSITIVE_INFINITY : 1
  if (statements.length > most || (statement !== undefined && statements.length === 0))
    fail('malformed_request', `${statements.length} statements are given; one is accepted.`)
  return statements
}

async function snapshotOf({ lake: folder }: Settings, asOf: string | undefined): Promise<Snapshot> {
  const lake = await openLake(folder)
  const newest = await lake.latest()
  if (asOf === undefined) return newest
  return await openPinnedSnapshots(lake, () => newest).of(asOf, new AbortController().signal)
}

/** Ctrl-C ends the statement, and another one the process. */
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

async function runOne(
  session: StatementRunner,
  statement: string,
  format: ResultFormat,
  signal: AbortSignal,
): Promise<void> {
  const checked = await session.check(statement, signal)
  await writers[format](session, checked, signal)
}

type WriteResult = (
  session: StatementRunner,
  statement: CheckedStatement,
  signal: AbortSignal,
) => Promise<void>

const writers: Readonly<Record<ResultFormat, WriteResult>> = {
  table: async (session, statement, signal) =>
    await write(await writeTable(statement.columns, session.rows(statement, signal))),
  csv: (session, statement, signal) => writeAll(session.lines(statement, 'csv', signal)),
  ndjson: (session, statement, signal) => writeAll(session.lines(statement, 'ndjson', signal)),
  parquet: async (session, statement, signal) =>
    await writeAll(createReadStream(await session.parquet(statement, signal))),
}

async function writeAll(pieces: AsyncIterable<string | Uint8Array>): Promise<void> {
  for await (const piece of pieces) await write(piece)
}

/** Waits while whoever reads standard output is behind. */
async function write(piece: string | Uint8Array): Promise<void> {
  if (!process.stdout.write(piece)) await new Promise((resolve) => process.stdout.once('drain', resolve))
}
