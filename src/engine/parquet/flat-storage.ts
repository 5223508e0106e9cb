import {
  BIGINT,
  BOOLEAN,
  DATE,
  DECIMAL,
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBTimestampTZValue,
  type DuckDBType,
  type DuckDBValue,
  INTEGER,
  TIMESTAMPTZ,
  UBIGINT,
  VARCHAR,
} from '@duckdb/node-api'
import { byStorage } from '../../catalog/by-storage.ts'
import type { FlatType } from '../../catalog/records/flat-columns.ts'

/** Type of a flat column in Parquet, and the conversion of its values. */
interface FlatStorage {
  readonly type: DuckDBType
  readonly toItem?: (value: never) => DuckDBValue
}

const decimal = (scale: number): FlatStorage => ({
  type: DECIMAL(38, scale),
  toItem: (units: bigint) => new DuckDBDecimalValue(units, 38, scale),
})

const text: FlatStorage = { type: VARCHAR }

export const flatStorage: Readonly<Record<FlatType, FlatStorage>> = {
  ...byStorage<FlatStorage>({
    ...{ text, bytes: text, texts: text },
    ...{ amount: { type: UBIGINT }, long: { type: BIGINT }, integer: { type: INTEGER } },
    boolean: { type: BOOLEAN, toItem: Boolean },
    decimal: decimal(18),
    instant: { type: TIMESTAMPTZ, toItem: (micros: bigint) => new DuckDBTimestampTZValue(micros) },
  }),
  date: { type: DATE, toItem: (days: number) => new DuckDBDateValue(days) },
  ...{ tokens: decimal(8), price: decimal(8), usd: decimal(16), count: decimal(0) },
}
