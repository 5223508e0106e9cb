import { writeJson } from '../../base/values/json-writer.ts'
import type { ParameterValues, ResultColumn, SqlSession } from './sql-session.ts'

interface FirstRowsLimits {
  readonly rows: number
  /** Characters of all rows; the row that reaches the limit is the last. */
  readonly characters: number
}

export interface FirstRowsRequest extends FirstRowsLimits {
  readonly statement: string
  readonly values?: ParameterValues
}

/** A row, or the characters of its JSON if it is too long to send. */
export type FirstRow = readonly (string | null)[] | { readonly characters: number }

export interface FirstRows {
  readonly columns: readonly ResultColumn[]
  readonly rows: readonly FirstRow[]
  readonly isCut: boolean
}

/** Checks a statement and reads its first rows. Errors: those of a statement; the reason of the signal. */
export async function readFirstRows(
  session: Pick<SqlSession, 'check' | 'rows'>,
  { statement, values = [], ...limits }: FirstRowsRequest,
  signal?: AbortSignal,
): Promise<FirstRows> {
  const checked = await session.check(statement, {}, signal)
  const columns = checked.columns.map(({ name, type }) => ({ name, type }))
  const rows: FirstRow[] = []
  let characters = 0
  for await (const batch of session.rows(checked, signal, values))
    for (const row of batch) {
      if (rows.length === limits.rows || characters > limits.characters) return { columns, rows, isCut: true }
      const length = row.reduce((sum, cell) => sum + (cell?.length ?? 4), 0)
      characters += length
      rows.push(length > limits.characters ? { characters: writeJson(row, true).length } : row)
    }
  return { columns, rows, isCut: false }
}
