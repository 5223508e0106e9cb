import type { ResultColumn, TextRows } from '../../../answers/sql/sql-session.ts'
import { visible } from '../../../base/visible.ts'
import { alignColumns } from '../../terminal-text.ts'

/** Of a long result so many rows are shown. */
const SHOWN_ROWS = 100
const LONGEST_CELL = 80

/** A result as a table for people: NULL is shown as such, numbers stand to the right, the last line says how many rows there are. */
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
  const count = `(${rows} ${rows === 1 ? 'row' : 'rows'}`
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
