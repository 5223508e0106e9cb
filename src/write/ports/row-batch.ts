import type { Value } from '../../catalog/column.ts'

/** Rows of one variant, with only the columns of that variant. */
export interface RowBatch {
  /** Value of the variant column for all rows; null for a resource without variants. */
  readonly variant: string | null
  readonly columns: readonly string[]
  /** One array per column; only the first `size` values are valid. */
  readonly data: readonly Value[][]
  /** Index, within the stage, of the source of all rows. */
  source: number
  size: number
}

/** Rows per batch: the vector size of the engine. */
export const BATCH_ROWS = 2048

export function emptyBatch(variant: string | null, columns: readonly string[]): RowBatch {
  return { variant, columns, data: columns.map(() => new Array<Value>(BATCH_ROWS)), source: 0, size: 0 }
}
