import type { DuckDBResult } from '@duckdb/node-api'
import type { Statement } from '../../sql/compile.ts'
import { rowsOfChunk, type Selected } from '../rows-of-result.ts'

const END = 'is the end'

/**
 * The statement with one more row behind its last. A streamed result that fails or is interrupted half-way ends as one that
 * is over does, so only that row shows the end.
 */
export function withEnd({ text, values }: Statement): Statement {
  const end = `SELECT true AS "${END}"`
  return { text: `SELECT rows.*, false AS "${END}" FROM (${text}) rows UNION ALL BY NAME ${end}`, values }
}

/**
 * The rows of a streamed result up to the one that `withEnd` adds, chunk by chunk as they are asked for.
 * Errors: Error when that row does not come.
 */
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
