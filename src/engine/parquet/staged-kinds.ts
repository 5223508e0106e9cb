import {
  BIGINT,
  BLOB,
  BOOLEAN,
  DECIMAL,
  DuckDBBlobValue,
  DuckDBDecimalValue,
  type DuckDBType,
  type DuckDBValue,
  INTEGER,
  UBIGINT,
  VARCHAR,
} from '@duckdb/node-api'
import { scaledDecimal } from '../../base/values/decimal.ts'
import { byStorage } from '../../catalog/by-storage.ts'
import { columnTypeOf } from '../duckdb/catalog-sql.ts'
import { type Sql, sql } from '../duckdb/sql.ts'

/** Staged type of a kind, and its conversion. */
interface StagedKind {
  readonly type: DuckDBType
  readonly stored: (column: Sql) => Sql
  readonly toStaged?: (value: never) => DuckDBValue
}

const asIs = (column: Sql) => column

/** Staging uses the types that fill vectors fastest; one cast converts them on write. */
export const stagedKinds = byStorage<StagedKind>({
  text: { type: VARCHAR, stored: asIs },
  amount: { type: UBIGINT, stored: (column) => sql`${column}::${columnTypeOf('amount')}` },
  long: { type: BIGINT, stored: asIs },
  integer: { type: INTEGER, stored: asIs },
  // The engine's own cast from text is many times slower.
  decimal: {
    type: DECIMAL(38, 18),
    stored: asIs,
    toStaged: (value: string) => new DuckDBDecimalValue(scaledDecimal(value), 38, 18),
  },
  instant: { type: BIGINT, stored: (column) => sql`make_timestamptz(${column})` },
  boolean: { type: BOOLEAN, stored: asIs, toStaged: (value: boolean) => value },
  bytes: { type: BLOB, stored: asIs, toStaged: (value: Uint8Array) => new DuckDBBlobValue(value) },
  texts: {
    type: VARCHAR,
    stored: (column) => sql`from_json(${column}, '["VARCHAR"]')`,
    toStaged: (value: readonly string[]) => JSON.stringify(value),
  },
})
