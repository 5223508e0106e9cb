import { arrayBinary, arrayText } from './array-values.ts'
import { binaryOf } from './binary.ts'
import { pgText } from './pg-text.ts'
import { type PgTypeName, pgTypes } from './pg-types.ts'

/** Types of DuckDB without parameters. UINTEGER is the type of oids in the catalog; it has their range. */
const byDuckdb: Readonly<Record<string, PgTypeName>> = {
  BOOLEAN: 'bool',
  ...{ TINYINT: 'int2', UTINYINT: 'int2', SMALLINT: 'int2', USMALLINT: 'int4', INTEGER: 'int4' },
  ...{ UINTEGER: 'oid', BIGINT: 'int8', UBIGINT: 'numeric', HUGEINT: 'numeric', UHUGEINT: 'numeric' },
  ...{ BIGNUM: 'numeric', FLOAT: 'float4', DOUBLE: 'float8', BLOB: 'bytea', UUID: 'uuid' },
  ...{ DATE: 'date', TIME: 'time', 'TIME WITH TIME ZONE': 'timetz', INTERVAL: 'interval' },
  ...{ TIMESTAMP: 'timestamp', TIMESTAMP_S: 'timestamp', TIMESTAMP_MS: 'timestamp' },
  ...{ 'TIMESTAMP WITH TIME ZONE': 'timestamptz', JSON: 'json', VARIANT: 'json' },
}

/** A column of a result: its type, and how its values are written. */
export interface PgColumn {
  readonly oid: number
  readonly size: number
  readonly modifier: number
  /** True if its values must arrive as JSON: lists, structs and maps. */
  readonly isNested: boolean
  /** Writes a value from the text of DuckDB. */
  write(value: string, isBinary: boolean): Uint8Array
}

const LIST = /^([^[\]()]*(?:\([^()]*\))?)\[\d*\]$/

/** Returns the column of a type of DuckDB. */
export function pgColumnOf(duckdbType: string): PgColumn {
  const [, element] = LIST.exec(duckdbType) ?? []
  const name = element === undefined ? undefined : scalarOf(element)
  if (name !== undefined && name !== 'bytea' && name !== 'json')
    return {
      ...{ oid: pgTypes[name].array, size: -1, modifier: modifierOf(element ?? ''), isNested: true },
      write: (value, isBinary) => (isBinary ? arrayBinary(name, value) : arrayText(name, value)),
    }
  const scalar = scalarOf(duckdbType)
  const { oid, size } = pgTypes[scalar ?? 'json']
  const isNested = scalar === undefined
  return {
    ...{ oid, size, modifier: modifierOf(duckdbType), isNested },
    write: (value, isBinary) =>
      isBinary ? binaryOf(scalar ?? 'json', value) : Buffer.from(pgText(scalar ?? 'json', value)),
  }
}

/** Returns the type of a parameter, from the type of DuckDB. */
export function oidOf(duckdbType: string): number {
  return pgColumnOf(duckdbType).oid
}

/** Returns undefined for lists, structs and maps. Types without an equal, such as enums, are text. */
function scalarOf(duckdbType: string): PgTypeName | undefined {
  if (/\]$|^(?:STRUCT|MAP|UNION)\b/.test(duckdbType)) return undefined
  return byDuckdb[duckdbType] ?? (duckdbType.startsWith('DECIMAL') ? 'numeric' : 'text')
}

/** Precision and scale of a decimal, as PostgreSQL packs them; 128-bit integers have 39 digits. -1 for none. */
function modifierOf(duckdbType: string): number {
  const [, precision, scale] = /^DECIMAL\((\d+),(\d+)\)$/.exec(duckdbType) ?? []
  if (precision !== undefined) return ((Number(precision) << 16) | Number(scale)) + 4
  if (/^U?HUGEINT$/.test(duckdbType)) return (39 << 16) + 4
  return duckdbType === 'UBIGINT' ? (20 << 16) + 4 : -1
}
