import type { RowBatch } from './row-batch.ts'

/** Uncommitted rows. */
export interface Stage {
  /** Rows staged so far, including those of broken artifacts. */
  readonly rows: number
  /**
   * Writes the staged rows of the given sources as one Parquet file in the order of the resource.
   * `partition` selects the rows of one partition; null selects all.
   */
  write(path: string, sources: ReadonlyMap<number, string>, partition: string | null): Promise<void>
  drop(): Promise<void>
}

/** A stage that receives rows in batches. */
export interface RowStage extends Stage {
  append(batch: RowBatch): void
}
