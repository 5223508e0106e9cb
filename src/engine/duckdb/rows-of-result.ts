import {
  DuckDBBigIntVector,
  type DuckDBDataChunk,
  DuckDBDecimal128Vector,
  DuckDBDecimalValue,
  type DuckDBMaterializedResult,
  DuckDBTimestampTZValue,
  type DuckDBValueConverter,
  DuckDBVarCharVector,
  type JS,
  JSDuckDBValueConverter,
} from '@duckdb/node-api'
import type { Value } from '../../catalog/column.ts'
import type { Row } from '../../catalog/resource.ts'

/** A row by column name. */
export type Selected = Row

/** A chunk of a result; its first `rows` rows count, and the columns in `names`. */
export interface StreamedChunk {
  readonly chunk: DuckDBDataChunk
  readonly names: readonly string[]
  readonly rows: number
}

/**
 * Decodes a result with exact values: amounts as bigint, instants as microseconds. The result is in memory, so
 * columns are read whole.
 * Errors: Error for a decimal with a fraction, which must be selected as text.
 */
export function rowsOfResult(result: DuckDBMaterializedResult): readonly Selected[] {
  const names = result.columnNames()
  const rows: Selected[] = []
  for (let index = 0; index < result.chunkCount; index += 1)
    rows.push(...rowsOfChunk(result.getChunk(index), names))
  return rows
}

export function rowsOfChunk(chunk: DuckDBDataChunk, names: readonly string[]): readonly Selected[] {
  const rows = Array.from({ length: chunk.rowCount }, (): Record<string, Value> => ({}))
  for (const [column, name] of names.entries()) {
    const values = columnOfChunk(chunk, column)
    for (const [index, row] of rows.entries()) row[name] = values[index] ?? null
  }
  return rows
}

export function columnOfChunk(chunk: DuckDBDataChunk, column: number): readonly Value[] {
  const vector = chunk.getColumnVector(column)
  const { itemCount: rows } = vector
  const values: Value[] = []
  if (vector instanceof DuckDBDecimal128Vector && vector.type.scale === 0) {
    // Amounts are the most common columns; an object per value would triple the time.
    for (let row = 0; row < rows; row += 1) values.push(vector.getScaledValue(row))
    return values
  }
  if (vector instanceof DuckDBVarCharVector || vector instanceof DuckDBBigIntVector) {
    for (let row = 0; row < rows; row += 1) values.push(vector.getItem(row))
    return values
  }
  return chunk.convertColumnValues(column, exact) as readonly Value[]
}

/** Casts in the statement would be slower than reading the values of a page. */
const exact: DuckDBValueConverter<JS> = (value, type, converter) => {
  if (value instanceof DuckDBTimestampTZValue) return value.micros
  if (!(value instanceof DuckDBDecimalValue)) return JSDuckDBValueConverter(value, type, converter)
  if (value.scale > 0) throw new Error(`${value} has a fraction; select it as text`)
  return value.value
}
