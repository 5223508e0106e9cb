import type { Resource } from '../../catalog/resource.ts'
import type { SourceRecord } from '../../lake/facts/source-record.ts'
import type { SourceFacts } from '../../lake/ports/file-writer.ts'
import type { RefusedRecord } from './csv-stage.ts'
import type { Stage } from './stage.ts'

/** A file of an export: rows of tables, and the sources that the export recorded with them. */
export interface ExportedFile {
  readonly records: readonly SourceRecord[]
  /** Tables with rows of sources that have no record, because the file has a part of them. */
  readonly partial: readonly Resource[]
  /** Counts and sums of the rows of a table, by source. */
  readSources(resource: Resource): Promise<readonly Counted[]>
  /** Reads the refused messages of a source by ascending ordinal. */
  readRefused(kind: string, sourceFile: string): Promise<readonly RefusedRecord[]>
  openStage(resource: Resource): ExportedStage
  close(): Promise<void>
}

type Counted = Pick<SourceFacts, 'source_file' | 'rows'> & {
  readonly groups: readonly Omit<SourceFacts['groups'][number], 'first' | 'last'>[]
}

/** Selects rows of the file; nothing is copied before `write`. */
export interface ExportedStage extends Stage {
  /** Counts rows that the next `write` selects. */
  add(rows: number): void
}
