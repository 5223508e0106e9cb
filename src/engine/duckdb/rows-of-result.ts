import {
  type DuckDBDataChunk,
  DuckDBDecimalValue,
  type DuckDBMaterializedResult,
  DuckDBTimestampTZValue,
  type DuckDBValueConverter,
  type JS,
  JSDuckDBValueConverter,
} from '@duckdb/node-api'

/** A row by the names of its columns. */
export type Selected = Readonly<Record<string, unknown>>

/**
 * The rows of a result, each value as JavaScript holds it exactly: an amount as bigint, an instant as its microseconds.
 * All of a result is at hand, so that nothing is waited for, and a column is read as a whole.
 * Errors: Error for a decimal with a fraction, which is selected as text.
 */
export function rowsOfResult(result: DuckDBMaterializedResult): readonly Selected[] {
  const names = result.columnNames()
  const rows: Selected[] = []
  for (let index = 0; index < result.chunkCount; index += 1)
    rows.push(...rowsOfChunk(result.getChunk(index), names))
  return rows
}

/** The same of one chunk, for columns of these names. */
export function rowsOfChunk(chunk: DuckDBDataChunk, names: readonly string[]): readonly Selected[] {
  const rows = Array.from({ length: chunk.rowCount }, (): Record<string, unknown> => ({}))
  for (const [column, name] of names.entries()) {
    const values = chunk.convertColumnValues(column, exact)
    for (const [place, row] of rows.entries()) row[name] = values[place]
  }
  return rows
}

/** Casts in the statement would do the same, yet binding and running them takes longer than reading a page's values. */
const exact: DuckDBValueConverter<JS> = (value, type, converter) => {
  if (value instanceof DuckDBTimestampTZValue) return value.micros
  if (!(value instanceof DuckDBDecimalValue)) return JSDuckDBValueConverter(value, type, converter)
  if (value.scale > 0) throw new Error(`${value} has a fraction; select it as text`)
  return value.value
}
