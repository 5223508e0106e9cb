import type { Constant, Vector } from '../../../base/values/vector.ts'

/** A value as its `ValueType` says. */
export type FlatValue = string | bigint | number | boolean | null

/** A value for each row, or one for all. */
export type FlatValues = Vector<FlatValue> | Constant<FlatValue>

/** Rows side by side: for each column its values. */
export interface FlatBatch {
  readonly rows: number
  readonly columns: readonly FlatValues[]
}

export function valueAt<T>(values: Vector<T> | Constant<T>, row: number): T {
  return values.at(row) as T
}
