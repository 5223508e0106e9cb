import { type DuckDBMaterializedResult, JSDuckDBValueConverter } from '@duckdb/node-api'

/** A row by the names of its columns, each value as JavaScript holds it. */
export type Selected = Readonly<Record<string, unknown>>

/** The rows of a result. All of it is at hand, so that nothing is waited for; a column is read as a whole. */
export function rowsOfResult(result: DuckDBMaterializedResult): readonly Selected[] {
  const names = result.columnNames()
  const rows: Record<string, unknown>[] = []
  for (let index = 0; index < result.chunkCount; index += 1) {
    const chunk = result.getChunk(index)
    const before = rows.length
    for (let row = 0; row < chunk.rowCount; row += 1) rows.push({})
    for (const [column, name] of names.entries()) {
      const values = chunk.convertColumnValues(column, JSDuckDBValueConverter)
      for (let row = 0; row < values.length; row += 1)
        (rows[before + row] as Record<string, unknown>)[name] = values[row]
    }
  }
  return rows
}
