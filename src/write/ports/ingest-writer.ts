import type { Resource } from '../../catalog/resource.ts'
import type { FileToRead, StoredFile } from '../../lake/facts/data-file.ts'
import type { ReadStretch } from '../../lake/ports/content-reader.ts'
import type { CsvStage } from './csv-stage.ts'
import type { ExportedFile } from './exported-file.ts'
import type { RowBatch } from './row-batch.ts'
import type { RowStage } from './stage.ts'

/** Stages arriving rows, and rewrites the files of a table that they change. */
export interface IngestWriter {
  /** Opens a stage for decoded rows; `shapes` has one batch per variant. */
  openStage(resource: Resource, shapes: readonly RowBatch[]): Promise<RowStage>
  /** Opens a stage that reads CSV files of the resource itself. */
  openCsvStage(resource: Resource): CsvStage
  /** Opens a file of an export; undefined if it records no sources. Errors: FileFault. */
  openExported(path: string): Promise<ExportedFile | undefined>
  /** Copies a file of a resource without the rows of the named sources. */
  copyWithout(resource: Resource, from: StoredFile, sourceNames: readonly string[], to: string): Promise<void>
  /**
   * Merges two files of a resource into one, in its order, in bounded memory.
   * Errors: `lake_damaged` when both have the same row.
   */
  merge(resource: Resource, file: FileToRead, arriving: string, to: string): Promise<void>
  /** Writes a state table after an upsert as one file in its order, in bounded memory; returns its row count. */
  upsert(resource: Resource, upsert: Upsert): Promise<number>
  /** Reads a file of a state table back and compares it with its arriving rows; later `sources` win. */
  readStateFacts(
    resource: Resource,
    path: string,
    arriving: string,
    sources: readonly string[],
  ): Promise<StateFacts>
  /** Reads rejected messages, which are decoded again. */
  readonly readStretch: ReadStretch
}

/** Arriving rows of a state table. Each replaces the row of its key. */
export interface Upsert {
  /** Live files of the table, sorted and following one another. */
  readonly files: readonly FileToRead[]
  /** Names of the sources whose rows are removed. */
  readonly without: readonly string[]
  /** File of the arriving rows, sorted. */
  readonly arriving: string
  /** Names of their sources. For one key the last source wins, and within a source the last row. */
  readonly sources: readonly string[]
  readonly to: string
}

/** Key counts of a state table's file, read back. */
export interface StateFacts {
  /** Distinct keys. */
  readonly keys: number
  /** Arriving keys whose last row is not in the file. */
  readonly missing: number
  /** Rows that do not come after the row before them. */
  readonly misplaced: number
}
