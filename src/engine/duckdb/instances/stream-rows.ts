import type { DuckDBResult } from '@duckdb/node-api'
import type { Statement } from '../../sql/compile.ts'
import { rowsOfChunk, type Selected } from '../rows-of-result.ts'

const END = 'is the end'

/** Adds a row after the last. A failed or interrupted stream looks complete, so only this row proves the end. */
export function withEnd({ text, values }: Statement): Statement {
  const end = `SELECT true AS "${END}"`
  return { text: `SELECT rows.*, false AS "${END}" FROM (${text}) rows UNION ALL BY NAME ${end}`, values }
}

/** Streams a result up to the row of `withEnd`. Errors: Error if that row is missing. */
export async function* rowsUntilEnd(result: DuckDBResult): AsyncGenerator<readonly Selected[]> {
  const names = result.columnNames()
  for (let isEnd = false; !isEnd; ) {
    const chunk = await result.fetchChunk()
    if (chunk === null || chunk.rowCount === 0) throw new Error('the rows of a statement ended early')
    const rows = rowsOfChunk(chunk, names).flatMap(({ [END]: isLast, ...row }) => {
      isEnd ||= isLast === true
      return isLast ? [] : [row]
    })
    if (rows.length > 0) yield rows
  }
}
