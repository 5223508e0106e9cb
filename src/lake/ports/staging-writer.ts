import type { Resource } from '../../catalog/resource.ts'
import type { CsvStage } from './csv-stage.ts'
import type { RowBatch } from './row-batch.ts'
import type { RowStage } from './stage.ts'

/** Stages rows of one resource, which nobody can read yet. */
export interface StagingWriter {
  /** A stage of rows that were decoded; `shapes` has one batch per variant. */
  openStage(resource: Resource, shapes: readonly RowBatch[]): Promise<RowStage>
  /** A stage that reads CSV of the resource's arrival itself. */
  openCsvStage(resource: Resource): CsvStage
}
