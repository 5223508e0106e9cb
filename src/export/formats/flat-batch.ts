/** A value as its `ValueType` says. */
export type FlatValue = string | bigint | number | boolean | null

/** One value for all rows. */
export class Constant<T> {
  readonly value: T

  constructor(value: T) {
    this.value = value
  }
}

/** A value for each row, or one for all. */
export type FlatValues = readonly FlatValue[] | Constant<FlatValue>

/** Rows side by side: for each column its values. */
export interface FlatBatch {
  readonly rows: number
  readonly columns: readonly FlatValues[]
}

export function valueAt<T>(values: readonly T[] | Constant<T>, row: number): T {
  return values instanceof Constant ? values.value : (values[row] as T)
}

/** The values one by one. */
export function spread(values: FlatValues, rows: number): readonly FlatValue[] {
  return values instanceof Constant ? Array<FlatValue>(rows).fill(values.value) : values
}
