import type { RowBatch } from './row-batch.ts'

/** Rows that nobody can read yet. */
export interface Stage {
  /** Rows staged so far, those of artifacts that broke included. */
  readonly rows: number
  /**
   * Writes the staged rows of the given sources as one Parquet file in the order of the resource.
   * `partition` keeps the rows of one partition; null keeps all.
   */
  write(path: string, sources: ReadonlyMap<number, string>, partition: string | null): Promise<void>
  drop(): Promise<void>
}

/** Rows that are handed over in batches. */
export interface RowStage extends Stage {
  append(batch: RowBatch): void
}
