import type { PgTypeName } from '../../../answers/sql/postgres-catalog/pg-types.ts'

/** Writes a value as PostgreSQL does, from the text of DuckDB. */
export function pgText(type: PgTypeName, value: string): string {
  switch (type) {
    case 'bool':
      return value === 'true' ? 't' : 'f'
    case 'float4':
    case 'float8':
      return FLOATS.get(value) ?? value
    case 'bytea':
      return `\\x${blobOf(value).toString('hex')}`
    case 'date':
    case 'timestamp':
      return afterEra(value)
    case 'timestamptz':
      return afterEra(value.replace('T', ' ').replace(/Z$/, '+00'))
    case 'interval':
      return value.replace(/\bmonth(s?)\b/, 'mon$1')
    default:
      return value
  }
}

const FLOATS: ReadonlyMap<string, string> = new Map([
  ...([
    ['nan', 'NaN'],
    ['inf', 'Infinity'],
    ['-inf', '-Infinity'],
  ] as const),
])

/** `0044-03-15 (BC) 00:00:00` -> `0044-03-15 00:00:00 BC`. */
function afterEra(value: string): string {
  const written = value.replace(/ ?\(BC\)/, '')
  return written === value ? value : `${written} BC`
}

/** Bytes of a BLOB, which DuckDB writes as ASCII with `\xAB` for all other bytes. */
export function blobOf(value: string): Buffer {
  const plain = value.replace(/\\x([\dA-Fa-f]{2})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  )
  return Buffer.from(plain, 'latin1')
}
