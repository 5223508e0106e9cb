/** A PostgreSQL type as clients see it. */
export interface PgType {
  readonly name: string
  readonly oid: number
  /** Bytes of a value; -1 if they vary. */
  readonly size: number
  /** The type of an array of it. */
  readonly array: number
}

const type = (name: string, oid: number, size: number, array: number): PgType => ({ name, oid, size, array })

/** Types of results and parameters. Source: PostgreSQL, pg_type.dat. */
export const pgTypes = {
  bool: type('bool', 16, 1, 1000),
  bytea: type('bytea', 17, -1, 1001),
  int8: type('int8', 20, 8, 1016),
  int2: type('int2', 21, 2, 1005),
  int4: type('int4', 23, 4, 1007),
  text: type('text', 25, -1, 1009),
  oid: type('oid', 26, 4, 1028),
  json: type('json', 114, -1, 199),
  float4: type('float4', 700, 4, 1021),
  float8: type('float8', 701, 8, 1022),
  varchar: type('varchar', 1043, -1, 1015),
  date: type('date', 1082, 4, 1182),
  time: type('time', 1083, 8, 1183),
  timestamp: type('timestamp', 1114, 8, 1115),
  timestamptz: type('timestamptz', 1184, 8, 1185),
  interval: type('interval', 1186, 16, 1187),
  timetz: type('timetz', 1266, 12, 1270),
  numeric: type('numeric', 1700, -1, 1231),
  uuid: type('uuid', 2950, 16, 2951),
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
