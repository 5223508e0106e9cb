import type { PgTypeName } from '../../../answers/sql/postgres-catalog/pg-types.ts'
import { dayOf, instantOf, timeOf } from './moments.ts'
import { numericOf } from './numeric.ts'
import { blobOf } from './pg-text.ts'

/** Writes a value in the binary format of PostgreSQL, from the text of DuckDB. */
export function binaryOf(type: PgTypeName, value: string): Buffer {
  switch (type) {
    case 'bool':
      return Buffer.from([value === 'true' ? 1 : 0])
    case 'int2':
      return bytesOf(2, (bytes) => bytes.writeInt16BE(Number(value)))
    case 'int4':
      return bytesOf(4, (bytes) => bytes.writeInt32BE(Number(value)))
    case 'oid':
      return bytesOf(4, (bytes) => bytes.writeUInt32BE(Number(value)))
    case 'int8':
      return int64(BigInt(value))
    case 'float4':
      return bytesOf(4, (bytes) => bytes.writeFloatBE(floatOf(value)))
    case 'float8':
      return bytesOf(8, (bytes) => bytes.writeDoubleBE(floatOf(value)))
    case 'numeric':
      return numericOf(value)
    case 'bytea':
      return blobOf(value)
    case 'date':
      return bytesOf(4, (bytes) => bytes.writeInt32BE(dayOf(value)))
    case 'time':
      return int64(timeOf(value))
    case 'timetz':
      return Buffer.concat([int64(timeOf(value)), zoneOf(value)])
    case 'timestamp':
    case 'timestamptz':
      return int64(instantOf(value))
    case 'interval':
      return intervalOf(value)
    case 'uuid':
      return Buffer.from(value.replaceAll('-', ''), 'hex')
    default:
      return Buffer.from(value)
  }
}

function bytesOf(size: number, write: (bytes: Buffer) => void): Buffer {
  const bytes = Buffer.alloc(size)
  write(bytes)
  return bytes
}

const int64 = (value: bigint) => bytesOf(8, (bytes) => bytes.writeBigInt64BE(value))

/** FLOAT and DOUBLE are doubles in DuckDB too. */
function floatOf(value: string): number {
  return Number(value.replace('inf', 'Infinity'))
}

/** Seconds west of Greenwich of `04:05:06+02:30`. */
function zoneOf(value: string): Buffer {
  const [, sign, hours = '0', minutes = '0', seconds = '0'] =
    /([+-])(\d\d)(?::(\d\d))?(?::(\d\d))?$/.exec(value) ?? []
  const east = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
  return bytesOf(4, (bytes) => bytes.writeInt32BE(sign === '-' ? east : -east))
}

const MONTHS: Readonly<Record<string, number>> = { year: 12, month: 1 }

/** Microseconds, days and months of `1 year 2 months 3 days 04:05:06`. */
function intervalOf(value: string): Buffer {
  let [months, days] = [0, 0]
  for (const [, count, unit = ''] of value.matchAll(/(-?\d+) (year|month|day)s?/g)) {
    if (unit === 'day') days += Number(count)
    else months += Number(count) * (MONTHS[unit] ?? 0)
  }
  const bytes = Buffer.alloc(16)
  bytes.writeBigInt64BE(/\d:/.test(value) ? timeOf(value) : 0n, 0)
  bytes.writeInt32BE(days, 8)
  bytes.writeInt32BE(months, 12)
  return bytes
}
