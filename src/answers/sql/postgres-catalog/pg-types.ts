/** A PostgreSQL type as clients see it. */
export interface PgType {
  readonly name: string
  readonly oid: number
  /** Bytes of a value; -1 if they vary. */
  readonly size: number
  /** The type of an array of it. */
  readonly array: number
  /** Its name in declarations. */
  readonly declared: string
  /** Category, as clients choose operators by it. */
  readonly category: string
  /** Its function for the binary format, by which clients tell types and arrays apart. */
  readonly receive: string
}

function type(
  name: string,
  oid: number,
  size: number,
  array: number,
  declared: string,
  category: string,
  receive = `${name}_recv`,
): PgType {
  return { name, oid, size, array, declared, category, receive }
}

/** Types of results and parameters. Source: PostgreSQL, pg_type.dat. */
export const pgTypes = {
  bool: type('bool', 16, 1, 1000, 'boolean', 'B', 'boolrecv'),
  bytea: type('bytea', 17, -1, 1001, 'bytea', 'U', 'bytearecv'),
  int8: type('int8', 20, 8, 1016, 'bigint', 'N', 'int8recv'),
  int2: type('int2', 21, 2, 1005, 'smallint', 'N', 'int2recv'),
  int4: type('int4', 23, 4, 1007, 'integer', 'N', 'int4recv'),
  text: type('text', 25, -1, 1009, 'text', 'S', 'textrecv'),
  oid: type('oid', 26, 4, 1028, 'oid', 'N', 'oidrecv'),
  json: type('json', 114, -1, 199, 'json', 'U'),
  float4: type('float4', 700, 4, 1021, 'real', 'N', 'float4recv'),
  float8: type('float8', 701, 8, 1022, 'double precision', 'N', 'float8recv'),
  varchar: type('varchar', 1043, -1, 1015, 'character varying', 'S', 'varcharrecv'),
  date: type('date', 1082, 4, 1182, 'date', 'D'),
  time: type('time', 1083, 8, 1183, 'time without time zone', 'D'),
  timestamp: type('timestamp', 1114, 8, 1115, 'timestamp without time zone', 'D'),
  timestamptz: type('timestamptz', 1184, 8, 1185, 'timestamp with time zone', 'D'),
  interval: type('interval', 1186, 16, 1187, 'interval', 'T'),
  timetz: type('timetz', 1266, 12, 1270, 'time with time zone', 'D'),
  numeric: type('numeric', 1700, -1, 1231, 'numeric', 'N'),
  uuid: type('uuid', 2950, 16, 2951, 'uuid', 'U'),
} as const satisfies Readonly<Record<string, PgType>>

export type PgTypeName = keyof typeof pgTypes

const byOid = new Map<number, string>()
for (const [name, { oid, array }] of Object.entries(pgTypes)) {
  byOid.set(oid, name)
  byOid.set(array, `${name}[]`)
}

/** Returns the name of a type, with `[]` for an array; undefined for unknown oids. */
export function nameOfOid(oid: number): string | undefined {
  return byOid.get(oid)
}

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

const LIST = /^([^[\]()]*(?:\([^()]*\))?)\[\d*\]$/

/** A type of DuckDB as PostgreSQL has it. */
export interface PgTypeOfColumn {
  readonly oid: number
  readonly size: number
  readonly modifier: number
  /** Type of a value, or of the elements of an array. */
  readonly name: PgTypeName
  readonly isArray: boolean
  /** True for arrays, structs and maps, whose texts DuckDB writes in its own form. */
  readonly isNested: boolean
}

/** Returns the type of a column. Structs, maps and lists of lists are JSON. */
export function pgTypeOf(duckdbType: string): PgTypeOfColumn {
  const [, element] = LIST.exec(duckdbType) ?? []
  const name = element === undefined ? undefined : scalarOf(element)
  if (element !== undefined && name !== undefined && name !== 'bytea' && name !== 'json')
    return {
      ...{ oid: pgTypes[name].array, size: -1, modifier: modifierOf(element), name },
      ...{ isArray: true, isNested: true },
    }
  const scalar = scalarOf(duckdbType)
  const { oid, size } = pgTypes[scalar ?? 'json']
  return {
    ...{ oid, size, modifier: modifierOf(duckdbType), name: scalar ?? 'json' },
    ...{ isArray: false, isNested: scalar === undefined },
  }
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
