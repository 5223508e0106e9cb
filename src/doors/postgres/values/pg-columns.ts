import { type PgTypeOfColumn, pgTypeOf } from '../../../answers/sql/postgres-catalog/pg-types.ts'
import { arrayBinary, arrayText } from './array-values.ts'
import { binaryOf } from './binary.ts'
import { pgText } from './pg-text.ts'

/** A column of a result: its type, and how its values are written. */
export interface PgColumn extends PgTypeOfColumn {
  /** Writes a value from the text of DuckDB; a list from a JSON array of texts. */
  write(value: string, isBinary: boolean): Uint8Array
}

/** Returns the column of a type of DuckDB. */
export function pgColumnOf(duckdbType: string): PgColumn {
  const type = pgTypeOf(duckdbType)
  const { name, isArray } = type
  if (isArray)
    return {
      ...type,
      write: (value, isBinary) => (isBinary ? arrayBinary(name, value) : arrayText(name, value)),
    }
  return {
    ...type,
    write: (value, isBinary) => (isBinary ? binaryOf(name, value) : Buffer.from(pgText(name, value))),
  }
}

/** Returns the type of a parameter, from the type of DuckDB. */
export function oidOf(duckdbType: string): number {
  return pgTypeOf(duckdbType).oid
}
