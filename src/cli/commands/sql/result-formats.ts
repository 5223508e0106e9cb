import { createReadStream } from 'node:fs'
import type { StatementRunner } from '../../../answers/sql/process/statement-runner.ts'
import type {
  CheckedStatement,
  ParameterValues,
  ResultColumn,
  TextRows,
} from '../../../answers/sql/sql-session.ts'
import { visible } from '../../../base/visible.ts'
import { alignColumns, counted } from '../../terminal-text.ts'

export const resultFormats = ['table', 'csv', 'ndjson', 'parquet'] as const

export type ResultFormat = (typeof resultFormats)[number]

export async function runOne(
  session: StatementRunner,
  statement: string,
  format: ResultFormat,
  signal: AbortSignal,
  values: ParameterValues = [],
): Promise<void> {
  const checked = await session.check(statement, {}, signal)
  await writers[format](session, checked, signal, values)
}

type WriteResult = (
  session: StatementRunner,
  statement: CheckedStatement,
  signal: AbortSignal,
  values: ParameterValues,
) => Promise<void>

const writers: Readonly<Record<ResultFormat, WriteResult>> = {
  table: async (session, statement, signal, values) =>
    await write(await writeTable(statement.columns, session.rows(statement, signal, values))),
  csv: (session, statement, signal, values) => writeAll(session.lines(statement, 'csv', signal, values)),
  ndjson: (session, statement, signal, values) =>
    writeAll(session.lines(statement, 'ndjson', signal, values)),
  parquet: async (session, statement, signal, values) =>
    await writeAll(createReadStream(await session.parquet(statement, signal, values))),
}

async function writeAll(pieces: AsyncIterable<string | Uint8Array>): Promise<void> {
  for await (const piece of pieces) await write(piece)
}

/** Writes to standard output and waits while its reader is slow. */
async function write(piece: string | Uint8Array): Promise<void> {
  if (!process.stdout.write(piece)) await new Promise((resolve) => process.stdout.once('drain', resolve))
}

/** Limit on the rows of a table; a longer result is cut. */
const SHOWN_ROWS = 100
const LONGEST_CELL = 80

/** Formats a result as a table: NULL is shown, numbers are aligned right, and the last line counts the rows. */
export async function writeTable(
  columns: readonly ResultColumn[],
  batches: AsyncIterable<TextRows>,
): Promise<string> {
  const shown: (readonly string[])[] = []
  let rows = 0
  for await (const batch of batches) {
    shown.push(...batch.slice(0, SHOWN_ROWS - shown.length).map((row) => row.map(cellOf)))
    rows += batch.length
  }
  const left = columns.flatMap(({ type }, place) => (isNumber(type) ? [] : [place]))
  const lines = alignColumns([columns.map(({ name }) => visible(name)), ...shown], left)
  return `${[...lines, countOf(rows)].join('\n')}\n`
}

function countOf(rows: number): string {
  const count = `(${counted(rows, 'row')}`
  return rows <= SHOWN_ROWS
    ? `${count})`
    : `${count}, of which the first ${SHOWN_ROWS} are shown; --format csv writes all)`
}

function cellOf(text: string | null): string {
  if (text === null) return 'NULL'
  const line = visible(text)
  return line.length > LONGEST_CELL ? `${line.slice(0, LONGEST_CELL - 1)}…` : line
}

const isNumber = (type: string) => /INT(EGER)?$|^(DECIMAL|FLOAT|DOUBLE)/.test(type)
