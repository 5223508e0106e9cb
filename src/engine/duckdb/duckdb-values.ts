import {
  BIGINT,
  BLOB,
  BOOLEAN,
  DuckDBBlobValue,
  DuckDBTimestampTZValue,
  type DuckDBType,
  type DuckDBValue,
  HUGEINT,
  INTEGER,
  LIST,
  listValue,
  TIMESTAMPTZ,
  VARCHAR,
} from '@duckdb/node-api'
import type { Value } from '../../catalog/column.ts'
import type { Resource, Row } from '../../catalog/resource.ts'
import { readDecimal } from '../../derive/decimal.ts'
import type { Bound } from '../sql/compile-where.ts'
import { filePattern } from './duckdb-dialect.ts'

/** How a value of each kind is bound: with the exact type of its column, or else pruning is lost. */
const binders: Readonly<Record<Bound['kind'], { type: DuckDBType; bind: (value: never) => DuckDBValue }>> = {
  text: { type: VARCHAR, bind: (value: string) => value },
  choice: { type: VARCHAR, bind: (value: string) => value },
  amount: { type: HUGEINT, bind: (value: bigint) => value },
  long: { type: BIGINT, bind: (value: bigint) => value },
  whole: { type: BIGINT, bind: (value: bigint) => value },
  integer: { type: INTEGER, bind: (value: number) => value },
  decimal: { type: VARCHAR, bind: (value: string) => value },
  instant: { type: TIMESTAMPTZ, bind: (value: bigint) => new DuckDBTimestampTZValue(value) },
  seconds: { type: BIGINT, bind: (value: bigint) => value },
  cell: { type: BIGINT, bind: (value: bigint) => value },
  uuid: { type: VARCHAR, bind: (value: string) => value },
  boolean: { type: BOOLEAN, bind: (value: boolean) => value },
  bytes: { type: BLOB, bind: (value: Uint8Array) => new DuckDBBlobValue(value) },
  texts: { type: LIST(VARCHAR), bind: (value: readonly string[]) => listValue(value) },
  json: { type: VARCHAR, bind: (value: string) => value },
  object: { type: VARCHAR, bind: (value: string) => value },
  files: { type: LIST(VARCHAR), bind: (value: readonly string[]) => listValue(value.map(filePattern)) },
  names: { type: LIST(VARCHAR), bind: (value: readonly string[]) => listValue(value) },
  amounts: { type: LIST(HUGEINT), bind: (value: readonly bigint[]) => listValue(value) },
}

export function boundValues(values: readonly Bound[]): { values: DuckDBValue[]; types: DuckDBType[] } {
  return {
    values: values.map(({ kind, value }) => binders[kind].bind(value as never)),
    types: values.map(({ kind }) => binders[kind].type),
  }
}

/** A row as the dialect selected it -> the values of the catalog. Decimals lose their padding. */
export function toRow(resource: Resource, selected: Readonly<Record<string, unknown>>): Row {
  const entries = Object.entries(selected).map(([name, value]): [string, Value] => {
    const isDecimal = resource.columns[name]?.kind === 'decimal' && typeof value === 'string'
    return [name, isDecimal ? (readDecimal(value) ?? null) : (value as Value)]
  })
  return Object.fromEntries(entries)
}
