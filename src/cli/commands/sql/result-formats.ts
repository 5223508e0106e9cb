import { createReadStream } from 'node:fs'
import type { StatementRunner } from '../../../answers/sql/process/statement-runner.ts'
import type { CheckedStatement } from '../../../answers/sql/sql-session.ts'
import { writeTable } from './result-table.ts'

export const resultFormats = ['table', 'csv', 'ndjson', 'parquet'] as const

export type ResultFormat = (typeof resultFormats)[number]

export async function runOne(
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
