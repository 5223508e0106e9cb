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
import { readDecimal } from '../../base/values/decimal.ts'
import { byStorage } from '../../catalog/by-storage.ts'
import type { Resource, Row } from '../../catalog/resource.ts'
import type { ColumnBatch } from '../engine.ts'
import type { BoundValue } from '../sql/compile-where.ts'
import { filePattern } from './duckdb-dialect.ts'
import type { Selected, StreamedChunk } from './rows-of-result.ts'
import { vectorOfChunk } from './vectors-of-chunk.ts'

interface Binder {
  readonly type: DuckDBType
  readonly bind: (value: never) => DuckDBValue
}

const asIs = (value: string | bigint | number | boolean) => value

/** Bindings by kind, with the exact column type, which pruning needs. */
const binders: Readonly<Record<BoundValue['kind'], Binder>> = {
  ...byStorage<Binder>({
    text: { type: VARCHAR, bind: asIs },
    amount: { type: HUGEINT, bind: asIs },
    long: { type: BIGINT, bind: asIs },
    integer: { type: INTEGER, bind: asIs },
    decimal: { type: VARCHAR, bind: asIs },
    instant: { type: TIMESTAMPTZ, bind: (value: bigint) => new DuckDBTimestampTZValue(value) },
    boolean: { type: BOOLEAN, bind: asIs },
    bytes: { type: BLOB, bind: (value: Uint8Array) => new DuckDBBlobValue(value) },
    texts: { type: LIST(VARCHAR), bind: (value: readonly string[]) => listValue(value) },
  }),
  files: { type: LIST(VARCHAR), bind: (value: readonly string[]) => listValue(value.map(filePattern)) },
  names: { type: LIST(VARCHAR), bind: (value: readonly string[]) => listValue(value) },
  longs: { type: LIST(BIGINT), bind: (value: readonly bigint[]) => listValue(value) },
  amounts: { type: LIST(HUGEINT), bind: (value: readonly bigint[]) => listValue(value) },
}

export function boundValues(values: readonly BoundValue[]): { values: DuckDBValue[]; types: DuckDBType[] } {
  return {
    values: values.map(({ kind, value }) => binders[kind].bind(value as never)),
    types: values.map(({ kind }) => binders[kind].type),
  }
}

/** Converts selected rows to catalog values. Decimals lose their padding. */
export function toRows(resource: Resource, selected: readonly Selected[]): readonly Row[] {
  const [first = {}] = selected
  const decimals = Object.keys(first).filter((name) => resource.columns[name]?.kind === 'decimal')
  if (decimals.length === 0) return selected
  return selected.map((row) => {
    const read = decimals.map((name) => {
      const value = row[name] ?? null
      return [name, typeof value === 'string' ? (readDecimal(value) ?? null) : value]
    })
    return { ...row, ...Object.fromEntries(read) }
  })
}

/** Converts the first `rows` rows of a chunk to columns of the catalog. */
export function toColumns(resource: Resource, { chunk, names, rows }: StreamedChunk): ColumnBatch {
  const columns = names.map((name, column) => {
    const vector = vectorOfChunk(chunk, column)
    const values = rows === chunk.rowCount ? vector : vector.slice(0, rows)
    if (resource.columns[name]?.kind !== 'decimal') return [name, values]
    const texts = Array.from({ length: rows }, (_, row) => values.at(row))
    return [name, texts.map((text) => (typeof text === 'string' ? (readDecimal(text) ?? null) : null))]
  })
  return { rows, columns: Object.fromEntries(columns) }
}

export function toRow(resource: Resource, selected: Selected): Row {
  return toRows(resource, [selected])[0] ?? {}
}
