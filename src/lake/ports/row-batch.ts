import type { Value } from '../../catalog/column.ts'

/** Rows of one variant in columns, narrow: only the columns that the variant has. */
export interface RowBatch {
  /** Value of the variant column for all rows; null for a resource without variants. */
  readonly variant: string | null
  readonly columns: readonly string[]
  /** One array per column, of which the first `size` values count. */
  readonly data: readonly Value[][]
  /** Index of the source of all rows, as given to the stage. */
  source: number
  size: number
}

/** As many rows as the engine takes at once. */
export const BATCH_ROWS = 2048

export function emptyBatch(variant: string | null, columns: readonly string[]): RowBatch {
  return { variant, columns, data: columns.map(() => new Array<Value>(BATCH_ROWS)), source: 0, size: 0 }
}
