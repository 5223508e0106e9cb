import type { Constant, Vector } from '../../../base/values/vector.ts'

export type FlatValue = string | bigint | number | boolean | null

/** A value per row, or one shared value. */
export type FlatValues = Vector<FlatValue> | Constant<FlatValue>

/** Columns of equal length. */
export interface FlatBatch {
  readonly rows: number
  readonly columns: readonly FlatValues[]
}

export function valueAt<T>(values: Vector<T> | Constant<T>, row: number): T {
  return values.at(row) as T
}
