import type { FileWriter } from '../../lake/ports/file-writer.ts'
import type { CompactionWriter } from '../../write/ports/compaction-writer.ts'
import type { IngestWriter } from '../../write/ports/ingest-writer.ts'
import { scanFile, selectColumns } from '../duckdb/catalog-sql.ts'
import { readFault, withErrnoCodes } from '../duckdb/failures.ts'
import { Session, type SessionOptions } from '../duckdb/session.ts'
import { sql } from '../duckdb/sql.ts'
import { writeParquetFile } from '../duckdb/write-parquet.ts'
import { writeCheckpoint } from './checkpoint.ts'
import { openDuckdbCsvStage } from './csv/csv-stage.ts'
import { readStretchOf } from './duckdb-row-reader.ts'
import { openExportedDatabase } from './exported-database.ts'
import { openExportedParquet } from './exported-parquet.ts'
import { splitFile } from './file-sequences.ts'
import { inspect } from './inspect.ts'
import { mergeFiles } from './pieces/merge-files.ts'
import { copyRanges, mergeMany } from './pieces/merge-many.ts'
import { countRowGroups, hasBinaryFilters, readFileContent } from './read-content.ts'
import { DuckdbStage } from './stage.ts'
import { readStateFacts } from './state-facts.ts'
import { isOf, upsertFiles } from './upsert-files.ts'

type Writers = IngestWriter & FileWriter & CompactionWriter

/** Writes Parquet files, one call at a time. */
export type RowWriter = Writers & { close(): Promise<void> }

/** Opens a row writer on a private DuckDB, which spills to a folder. */
export async function openDuckdbRowWriter(options: SessionOptions): Promise<RowWriter> {
  const session = await Session.open(options)
  return withErrnoCodes<RowWriter>({ ...rowWriterOf(session), close: async () => session.close() })
}

export const rowWriterOf = (session: Session): Writers => ({
  openStage: async (resource, shapes) => withErrnoCodes(await DuckdbStage.open(session, resource, shapes)),
  openCsvStage: (resource) => withErrnoCodes(openDuckdbCsvStage(session, resource)),
  openExported: async (path) => {
    const open = path.endsWith('.parquet') ? openExportedParquet : openExportedDatabase
    const file = await open(session, path)
    return file && withErrnoCodes(file)
  },
  async copyWithout(resource, from, sourceNames, to) {
    const selection = sql`SELECT ${selectColumns(resource)} FROM ${scanFile(resource, from)}`
    await writeParquetFile(session, resource, [sql`${selection} WHERE NOT ${isOf(sourceNames)}`], to).catch(
      (error) => Promise.reject(readFault(error, from.path)),
    )
  },
  merge: (resource, file, arriving, to) => mergeFiles({ session, resource, file, arriving }, to),
  upsert: (...parameters) => upsertFiles(session, ...parameters),
  readStateFacts: (...parameters) => readStateFacts(session, ...parameters),
  readStretch: readStretchOf(session),
  split: (...parameters) => splitFile(session, ...parameters),
  inspect: (...parameters) => inspect(session, ...parameters),
  writeCheckpoint: (...parameters) => writeCheckpoint(session, ...parameters),
  copyRanges: (...parameters) => copyRanges(session, ...parameters),
  mergeMany: (...parameters) => mergeMany(session, ...parameters),
  readContent: (...parameters) => readFileContent(session, ...parameters),
  countRowGroups: (path) => countRowGroups(session, path),
  hasBinaryFilters: (...parameters) => hasBinaryFilters(session, ...parameters),
})
