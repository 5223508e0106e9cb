import { type PgTypeOfColumn, pgTypeOf } from '../../../answers/sql/postgres-catalog/pg-types.ts'
import { arrayBinary, arrayText } from './array-values.ts'
import { binaryOf } from './binary.ts'
import { pgText } from './pg-text.ts'

/** A column of a result: its type, and how its values are written. */
export interface PgColumn extends PgTypeOfColumn {
  /** Writes a value from the text of DuckDB, a list from a JSON array of texts: in the text format, or the binary one. */
  text(value: string): string
  binary(value: string): Uint8Array
}

/** Returns the column of a type of DuckDB. */
export function pgColumnOf(duckdbType: string): PgColumn {
  const type = pgTypeOf(duckdbType)
  const { name, isArray } = type
  if (isArray)
    return {
      ...type,
      text: (value) => arrayText(name, value),
      binary: (value) => arrayBinary(name, value),
    }
  return { ...type, text: (value) => pgText(name, value), binary: (value) => binaryOf(name, value) }
}

/** Returns the type of a parameter, from the type of DuckDB. */
export function oidOf(duckdbType: string): number {
  return pgTypeOf(duckdbType).oid
}
