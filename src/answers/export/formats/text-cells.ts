import {
  Binary,
  Bool,
  type Data,
  type DataType,
  DateDay,
  Decimal,
  Float32,
  Float64,
  Int8,
  Int16,
  Int32,
  Int64,
  makeBuilder,
  makeData,
  TimestampMicrosecond,
  TimestampNanosecond,
  Uint8,
  Uint16,
  Uint32,
  Uint64,
  Utf8,
} from 'apache-arrow'
import type { ResultColumn } from '../../../engine/duckdb/confined/confined-session.ts'

/** A type of Arrow, and how it reads the texts of `arrowSelect` of SQL. */
export interface ArrowCells {
  readonly type: DataType
  /** Makes a column of a record batch. */
  readonly column: (texts: readonly (string | null)[]) => Data
}

const names: Readonly<Record<string, () => ArrowCells>> = {
  BOOLEAN: () => built(new Bool(), (text) => text === 'true'),
  TINYINT: () => built(new Int8(), Number),
  SMALLINT: () => built(new Int16(), Number),
  INTEGER: () => built(new Int32(), Number),
  BIGINT: () => built(new Int64(), BigInt),
  UTINYINT: () => built(new Uint8(), Number),
  USMALLINT: () => built(new Uint16(), Number),
  UINTEGER: () => built(new Uint32(), Number),
  UBIGINT: () => built(new Uint64(), BigInt),
  FLOAT: () => built(new Float32(), toDouble),
  DOUBLE: () => built(new Float64(), toDouble),
  BLOB: () => built(new Binary(), (hex) => Buffer.from(hex, 'hex')),
  DATE: () => words(new DateDay(), new Int32(), Number),
  TIMESTAMP: () => words(new TimestampMicrosecond(), new Int64(), BigInt),
  'TIMESTAMP WITH TIME ZONE': () => words(new TimestampMicrosecond('UTC'), new Int64(), BigInt),
  TIMESTAMP_NS: () => words(new TimestampNanosecond(), new Int64(), BigInt),
  HUGEINT: () => decimals(38, 0),
  UHUGEINT: () => decimals(38, 0),
}

/** The cells of a column; types that Arrow lacks are text, as in CSV. */
export function arrowCells({ type }: ResultColumn): ArrowCells {
  const [, precision, scale] = /^DECIMAL\((\d+),(\d+)\)$/.exec(type) ?? []
  if (precision !== undefined) return decimals(Number(precision), Number(scale))
  return names[type]?.() ?? built(new Utf8(), (text) => text)
}

/** Texts of doubles are the shortest that read as the same value. */
function toDouble(text: string): number {
  const infinity = /^(-?)inf/.exec(text)
  return infinity === null ? Number(text) : Number(`${infinity[1]}Infinity`)
}

function built(type: DataType, read: (text: string) => unknown): ArrowCells {
  return {
    type,
    column(texts) {
      const builder = makeBuilder({ type, nullValues: [null] })
      for (const text of texts) builder.append(text === null ? null : read(text))
      return builder.finish().flush()
    },
  }
}

/** Builders of these types take JavaScript dates, which round; those of their integers do not. */
function words(type: DataType, integers: DataType, read: (text: string) => unknown): ArrowCells {
  const { column } = built(integers, read)
  return {
    type,
    column(texts) {
      const { length, nullCount, nullBitmap, values } = column(texts)
      return makeData({ type, length, nullCount, nullBitmap, data: values } as never)
    },
  }
}

/** The text of a decimal always has all digits of its fraction. */
function decimals(precision: number, scale: number): ArrowCells {
  const type = new Decimal(scale, precision, 128)
  return {
    type,
    column(texts) {
      const limbs = new BigInt64Array(texts.length * 2)
      const valid = new Uint8Array((texts.length + 7) >> 3)
      let nullCount = 0
      for (const [row, text] of texts.entries()) {
        if (text === null) {
          nullCount += 1
          continue
        }
        const value = BigInt(text.replace('.', ''))
        limbs[row * 2] = BigInt.asIntN(64, value)
        limbs[row * 2 + 1] = BigInt.asIntN(64, value >> 64n)
        valid[row >> 3] = (valid[row >> 3] ?? 0) | (1 << (row & 7))
      }
      const data = new Uint32Array(limbs.buffer)
      return makeData({ type, length: texts.length, nullCount, nullBitmap: valid, data } as never)
    },
  }
}
